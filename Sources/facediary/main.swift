import Commands

await Program.main()
