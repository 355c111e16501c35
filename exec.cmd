@rem npm scripts say `exec`, so that a POSIX shell replaces itself and signals reach the program. This is the same for cmd.exe.
@%*
