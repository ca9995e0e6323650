topology = "4x4"
wide     = "4x6"
