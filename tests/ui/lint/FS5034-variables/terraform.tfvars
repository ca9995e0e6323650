topology = "4x6"
wide     = "2x4"
