"""How the commands end."""

DONE, FAILED, USAGE, NOT_FOUND, DOES_NOT_FIT, INTERRUPTED = 0, 1, 2, 3, 4, 130

EPILOG = """exit status:
  0    done
  1    it failed, and the reason is printed
  2    the arguments make no sense
  3    there is no such model
  4    the model does not fit into the memory that is free
  130  interrupted (a download goes on from there the next time)
"""
