export const INTRODUCTION = `
Payments, recurring billing, customers, cards and wallets.

## Calling

Send the API key with every request: \`Authorization: Bearer qk_test_…\`. A key acts for one app of a business, in one
environment. What is made with \`qk_test_…\` and with \`qk_live_…\` never mixes. Each operation names the scope that its
key needs. An app that has registered a signing key must sign its requests as well (RFC 9421, Ed25519, over
\`@method\`, \`@target-uri\` and \`content-digest\`, with \`created\` and \`nonce\`).

Bodies are JSON. A member or query name that an operation does not know is refused, so that a mistyped one is not
silently dropped.

## Answers

Every answer is \`{code, message, data}\`. On success the HTTP status and \`code\` are 200, and \`data\` holds the object under
its name. Otherwise the HTTP status says what kind of failure it is, \`code\` is the status × 100 and a number, and \`data.error\`
holds \`type\`, \`reason\`, \`request_id\` and, where they help, \`param\`, \`decline_code\` and \`recommended_action\`. Go by
\`reason\`, which never changes; all are listed at [/docs/errors](docs/errors). Members may be added to answers, and are never removed.

A 402 or 502 of a payment has \`data.order\` and \`data.transaction\` beside the error, a 504 mostly. **504 means that the outcome is not
known yet**: do not pay again. We find it out, and a check of the order or an event tells you.

## Sending a request again

With an \`Idempotency-Key\` a request can be sent again after a lost answer, for 30 days: nothing is done twice, and the first
answer comes again with \`Idempotent-Replayed: true\`. The same key with another body is 422, while the first is still
running 409. After a 429 or 503 wait as many seconds as \`Retry-After\` says, where it is sent.

## Amounts and times

Orders and plans have amounts as JSON numbers, with as many decimals as the currency has. Cards and wallets have them as
strings, such as \`"150.50"\`. Read the numbers as decimals, not as binary floating point. Times are RFC 3339 in UTC.

## Card numbers

Only the \`number\` of a \`credit_card\` is encrypted. Put card numbers into no other member or header: references, names, notes and
keys are kept and shown as they were sent.

## Lists

Lists show the newest first. Page with \`offset\` and \`limit\`, or, as deep as you like, with \`cursor\`: \`next_cursor\` of the page
before, with the same \`filter\`. A filter is written as in [AIP-160](https://google.aip.dev/160):
\`state = "open" AND initial_total >= 100\`. \`:\` means contains, \`*\` stands for any text, and \`OR\` binds tighter than \`AND\`.

## Being told

Register an endpoint, or give an order its \`notify_url\` and a plan its \`callback_url\`: what is posted there is described under
Webhooks. The same events can be listed.
`.trim()
