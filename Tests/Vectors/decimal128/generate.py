"""Makes the decimal128 vectors: what Python's decimal module says of random numbers, in the context of decimal128.

    python3 generate.py [seed] > arithmetic.json
"""
import json, random, sys
from decimal import Context, Decimal, ROUND_HALF_EVEN

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
rng = random.Random(seed)
ctx = Context(prec=34, Emin=-6143, Emax=6144, clamp=1, rounding=ROUND_HALF_EVEN, traps=[])
wide = Context(prec=200, Emin=-999999, Emax=999999, traps=[])

SPECIAL = ["0", "-0", "0E+10", "0E-6176", "0E+6111", "1", "-1", "NaN", "Infinity", "-Infinity", "1E-6176", "-1E-6176",
           "9.999999999999999999999999999999999E+6144", "-9.999999999999999999999999999999999E+6144", "1E+6144",
           "1E-6143", "9999999999999999999999999999999999", "0.5", "1.5", "2.5", "5E-6177", "10", "3", "7", "1E+34"]


def digits(n):
    kind = rng.randrange(5)
    if kind == 0: return "9" * n
    if kind == 1: return "1" + "0" * (n - 1)
    if kind == 2: return "".join(rng.choice("05") for _ in range(n)) or "5"
    return "".join(rng.choice("0123456789") for _ in range(n))


def number(longest=34):
    if rng.randrange(12) == 0: return rng.choice(SPECIAL[:-3])
    text = digits(rng.choice([1, 2, 3, 5, 16, 17, 33, longest, rng.randint(1, longest)]))
    exponent = rng.choice([0, 0, -1, -2, 1, rng.randint(-40, 40), rng.randint(-6210, -6100), rng.randint(6070, 6150),
                           rng.randint(-3100, -3050), rng.randint(3040, 3090)])
    sign = rng.choice(["", "-"])
    return f"{sign}{text}E{exponent}" if exponent else sign + text


def near(text):
    """A number close to another one, for cancellation."""
    value = Decimal(text)
    if not value.is_finite(): return number()
    other = wide.add(value, Decimal((0, (rng.randrange(10),), value.as_tuple().exponent + rng.randint(-3, 3))))
    return str(ctx.plus(wide.multiply(other, Decimal(rng.choice([1, -1])))))


cases = []
for _ in range(1200):
    text = number(rng.choice([34, 36, 40, 60]))
    cases.append(["parse", text, "", str(ctx.create_decimal(text))])
for name, function in [("+", ctx.add), ("-", ctx.subtract), ("*", ctx.multiply), ("/", ctx.divide)]:
    for _ in range(1500):
        left = str(ctx.create_decimal(number()))
        right = near(left) if rng.randrange(4) == 0 else str(ctx.create_decimal(number()))
        cases.append([name, left, right, str(function(Decimal(left), Decimal(right)))])
for _ in range(800):
    left = str(ctx.create_decimal(number()))
    right = near(left) if rng.randrange(2) == 0 else str(ctx.create_decimal(number()))
    if "NaN" in left + right: continue
    cases.append(["?", left, right, str(int(Decimal(left).compare(Decimal(right), context=wide)))])
for _ in range(400):
    text = str(ctx.create_decimal(number()))
    value = Decimal(text)
    if not value.is_finite(): continue
    cases.append(["double", text, "", float(value).hex()])
json.dump(cases, sys.stdout, separators=(",\n", ":"))
print()
