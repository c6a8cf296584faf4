@echo off
rem Starts Foreword, without a terminal where Python brings what that takes.
where /q pyw && (start "" pyw -3 "%~dp0launch.py" --icon & exit /b)
where /q py && (py -3 "%~dp0launch.py" --icon & goto end)
where /q python && (python "%~dp0launch.py" --icon & goto end)
echo Foreword needs Python 3.11 to 3.14. Please install it from the Microsoft Store or python.org, then start again.
:end
if errorlevel 1 pause
