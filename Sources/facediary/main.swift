internal import Commands

Program.main()
