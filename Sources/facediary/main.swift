import Commands
internal import Dates
internal import Words

Program.main(.whole)
