// A program that embeds the diary imports FaceDiary alone.
@_exported public import Access
@_exported public import Authentication
@_exported public import Bytes
@_exported public import DiaryVault
@_exported public import Entries
@_exported public import FaceMatching
@_exported public import Keeper
@_exported public import Sealing
