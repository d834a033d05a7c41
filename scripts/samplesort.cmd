@echo off
rem The samplesort command of a bundle, on Windows. It needs Java 25: the bundle's own if the bundle was made on Windows,
rem else that of JAVA_HOME, else the one in the PATH. Options of Java go through in SAMPLESORT_JAVA_OPTIONS.
setlocal
set "home=%~dp0.."
set "java=%home%\runtime\bin\java.exe"
if not exist "%java%" if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if not exist "%java%" set "java=java"
"%java%" "@%home%\lib\java-options" %SAMPLESORT_JAVA_OPTIONS% -jar "%home%\samplesort.jar" %*
exit /b %errorlevel%
