"""What the verdicts of testbenches/benes_design_space are made with."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "testbenches" / "benes_design_space"
sys.path.insert(0, str(FOLDER))
import claims  # noqa: E402
import tomllib  # noqa: E402

READINGS = tomllib.loads((FOLDER / "testbench.toml").read_text(encoding="utf-8"))["settings"]["readings"]


def point(q, digits, truncated, mean_delay, delay_error, randomization="multiple"):
    return {"switch_size": q, "digits": digits, "truncated": truncated, "link_bits": 256 // q,
            "randomization": randomization, "permutations": "random", "mean_delay": mean_delay,
            "delay_error": delay_error}


def cell(best, of_size, of_columns, processors=1024, bits=256, reading=0):
    return {"processors": processors, "traffic": "random", "reading": READINGS[reading]["name"], "bits": bits,
            "best": best, "of_size": of_size, "of_columns": of_columns}


class Claims(unittest.TestCase):
    def test_a_verdict_says_whether_all_some_or_none_hold(self):
        for rulings, verdict in ((["holds", "holds"], "confirmed"), (["holds", "open"], "confirmed"),
                                 (["holds", "fails"], "confirmed under these conditions"),
                                 (["fails", "open"], "refuted"), (["open"], "open")):
            self.assertEqual(claims.verdict_of(rulings), verdict)

    def test_a_share_holds_fails_or_is_open_by_its_confidence_interval(self):
        for low, high, ruling in ((0.995, 1, "holds"), (0.9949, 1, "open"), (0.9949, 0.995, "open"),
                                  (0.9949, 0.9949, "fails")):
            self.assertEqual(claims.rule_on_share({"share_low": low, "share_high": high}), ruling)

    def test_the_best_design_is_ruled_on_by_intervals_too(self):
        best, near, far = (8, 2, (100, 2)), (4, 1, (103, 2)), (4, 1, (105, 2))
        self.assertEqual(claims.rule_on_switch_size(cell(best, best, far)), "holds")
        self.assertEqual(claims.rule_on_switch_size(cell(best, near, far)), "open")
        self.assertEqual(claims.rule_on_switch_size(cell(best, far, near)), "fails")
        self.assertEqual(claims.rule_on_columns(cell(best, far, near)), "open")
        self.assertEqual(claims.rule_on_columns(cell(best, best, far)), "fails")
        self.assertEqual(claims.rule_on_columns(cell(near, near, near)), "holds")

    def test_multiple_randomization_is_held_against_single(self):
        for slow, fast, error, ruling in ((5, 4, 0.1, "holds"), (5, 4, 0.6, "open"), (4, 5, 0.1, "fails")):
            pair = point(2, 4, 0, slow, error), point(2, 4, 0, fast, error)
            self.assertEqual(claims.rule_on_randomization(*pair), ruling)
        # A design without randomizing columns has no say.
        row = claims.on_randomization("here", [point(2, 4, 3, 4, 0.1), point(2, 4, 3, 5, 0.1),
                                               point(2, 4, 0, 6, 0.1), point(2, 4, 0, 4, 0.1)])
        self.assertEqual(row["verdict"], "confirmed")
        self.assertIn("holds in 1, open in 0, fails in 0 of 1", row["numbers"])
        self.assertIn("1.50 times", row["numbers"])

    def test_delays_are_read_as_clock_cycles_in_each_way(self):
        design = point(4, 5, 3, 10, 0.5)  # 6 columns, links of 64 bits: 4 words
        expected = [6 + 4, 4, 12 + 4, 6 + 4 + 5, 4 * 1, 4 * 7, 4 * 12]
        self.assertEqual([claims.latency(design, reading, 256) for reading in READINGS],
                         [(10 * clocks, 0.5 * clocks) for clocks in expected])

    def test_the_map_has_the_fastest_design_of_each_reading_and_length(self):
        # Links of 128 and 64 bits: q = 2 is good for long messages, q = 4 for short ones.
        slow = point(2, 10, 9, 1, 0.1, "single")  # not in the map
        points = [slow, point(2, 10, 9, 5, 0.1), point(4, 5, 3, 5, 0.1)]
        cells = claims.map_of(1024, "random", points, READINGS, [64, 4096])
        self.assertEqual(len(cells), 2 * len(READINGS))
        self.assertEqual(cells[0]["best"], (4, 1, (5 * 7, 0.1 * 7)))
        self.assertEqual(cells[1]["best"][0], 2)
        self.assertEqual(cells[1]["of_size"][2][0], 5 * (6 + 64))
        self.assertEqual(cells[1]["of_columns"][0], 4)
        other = claims.map_of(256, "random", points, READINGS, [64, 4096])
        self.assertIsNone(other[0]["of_size"])
        with self.assertRaises(ValueError):
            claims.map_of(1024, "random", [slow], READINGS, [64])
        rows = claims.on_designs("1024 processors", cells)
        self.assertEqual([row["claim"] for row in rows], [
                         "4 x 4 switches are best", "one randomizing column is best"])
        self.assertEqual(rows[0]["verdict"], "confirmed under these conditions")
        self.assertIn("circuit a message, set-up 1: 64 bits", rows[0]["numbers"])
        self.assertEqual(claims.on_designs("256", other), [])

    def test_both_machine_sizes_must_agree_with_the_paper_in_one_case(self):
        four, eight, other = (4, 1, (100, 1)), (8, 1, (100, 1)), (2, 0, (200, 1))
        cells = [cell(best, claimed, claimed, processors, bits, 1) for processors, bits, best, claimed in
                 ((1024, 64, four, four), (1024, 128, four, four), (1024, 256, four, other),
                  (4096, 64, eight, eight), (4096, 128, four, other), (4096, 256, eight, eight))]
        row, = claims.on_all_sizes("random", cells)
        self.assertEqual(row["where"], "1024 and 4096 processors, random")
        self.assertEqual(row["verdict"], "confirmed under these conditions")
        self.assertIn("holds in 1, open in 0, fails in 2 of 3", row["numbers"])
        self.assertIn("set-up 0: 64 bits", row["numbers"])
        self.assertEqual(claims.on_all_sizes("random", cells[:3]), [])
        self.assertEqual(claims.on_all_sizes("worst", cells), [])

    def test_the_claim_on_the_share_lists_switch_sizes(self):
        clos = [{**point(q, 2, 0, 3, 0.1, "single"), "share": 0.9 if q == 3 else 1,
                 "share_low": 0.8 if q == 3 else 0.999, "share_high": 0.95 if q == 3 else 1,
                 "messages_within_limit": 0.99} for q in (2, 3, 4, 5)]
        row = claims.on_share(clos, 6)[0]
        self.assertEqual(row["verdict"], "confirmed under these conditions")
        self.assertIn("holds for q = 2, 4-5; open for none; fails for 3; least share 0.9", row["numbers"])


if __name__ == "__main__":
    unittest.main()
