"""The mutations still fit the source."""
import unittest

import mutations


class Mutations(unittest.TestCase):
    def test_each_stands_once(self):
        for mutation in mutations.MUTATIONS:
            with self.subTest(mutation.breaks):
                self.assertEqual(1, mutations.occurrences(mutation), mutation.file)
                self.assertNotEqual(mutation.old, mutation.new)


if __name__ == "__main__":
    unittest.main()
