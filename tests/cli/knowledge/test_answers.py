"""Every file of expected/ is what the program prints."""
import unittest

import answers


class Answers(unittest.TestCase):
    maxDiff = None

    def test_expected(self):
        self.assertTrue(answers.answers())
        for answer in answers.answers():
            with self.subTest(answer=answer.name):
                status, text, _ = answers.made(answer)
                self.assertEqual(0, status)
                self.assertEqual(answer.read_text(), text)


if __name__ == "__main__":
    unittest.main()
