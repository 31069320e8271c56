/** The cards that Airwallex publishes for its sandbox, beside those of our simulator. */
export const AIRWALLEX_TEST_CARDS: ReadonlySet<string> = new Set([
  '4035501000000008',
  '4012000300000021',
  '4012000300000088',
  '4012000300000013',
  '4012000300000039',
  '4012000300000070',
  '4646464646464644',
])
