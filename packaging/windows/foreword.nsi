; The installer for Windows: makensis /DVERSION=0.1.0 /DPROGRAM=folder /DOUTPUT=setup.exe foreword.nsi
; For the person who runs it, without an administrator: into the person's own programs, with an entry in the Start menu.

Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma

!include MUI2.nsh
!include FileFunc.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Foreword"

Name "Foreword"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Foreword"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=0 "ProductName" "Foreword"
VIAddVersionKey /LANG=0 "FileDescription" "Foreword"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "LegalCopyright" "Apache-2.0"

!define MUI_ICON "..\..\assets\icons\foreword.ico"
!define MUI_UNICON "..\..\assets\icons\foreword.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\Foreword.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString KEPT ${LANG_ENGLISH} "Your chats and models stay in $LOCALAPPDATA\Foreword. Remove them too?"
LangString KEPT ${LANG_SIMPCHINESE} "您的对话和模型保留在 $LOCALAPPDATA\Foreword。要一并删除吗？"

LangString OPEN ${LANG_ENGLISH} "Foreword is open. Please close it, then try again."
LangString OPEN ${LANG_SIMPCHINESE} "Foreword 正在运行。请先关闭它，然后重试。"

!macro WAIT_UNTIL_CLOSED ; Windows deletes no program that runs
  again:
  ClearErrors
  Delete "$INSTDIR\Foreword.exe"
  IfErrors 0 closed
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(OPEN)" /SD IDCANCEL IDRETRY again
  Abort
  closed:
!macroend

Section
  !insertmacro WAIT_UNTIL_CLOSED
  SetOutPath "$INSTDIR"
  RMDir /r "$INSTDIR\_internal" ; of an older version
  File /r "${PROGRAM}\*"
  CreateShortcut "$SMPROGRAMS\Foreword.lnk" "$INSTDIR\Foreword.exe"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Foreword"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\Foreword.exe"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
SectionEnd

Section "Uninstall"
  !insertmacro WAIT_UNTIL_CLOSED
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR" ; only when nothing else is in it
  Delete "$SMPROGRAMS\Foreword.lnk"
  DeleteRegKey HKCU "${KEY}"
  MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(KEPT)" /SD IDNO IDNO kept
  RMDir /r "$LOCALAPPDATA\Foreword"
  kept:
SectionEnd
