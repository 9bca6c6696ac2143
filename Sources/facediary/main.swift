import Commands

Program.main(.whole)
