// A program that embeds the diary imports FaceDiary alone.
@_exported public import Authentication
@_exported public import DiaryVault
@_exported public import FaceMatching
@_exported public import Sealing
