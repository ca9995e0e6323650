bash pool.sh 4
