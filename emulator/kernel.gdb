# For gdb on kernels that run on the emulated GPU: stops where a fault is found, with the faulty thread's stack at hand.
set pagination off
set breakpoint pending on
set print thread-events off
# The JVM uses these for itself.
handle SIGSEGV nostop noprint pass
handle SIGUSR1 nostop noprint pass
handle SIGUSR2 nostop noprint pass
break emulator::lose_device
run
