set = 4
