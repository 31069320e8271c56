export const INTRODUCTION = `
Payments, recurring billing, customers, cards and wallets.

## Requests

Send an API key with every request: \`Authorization: Bearer qk_test_…\`. A key belongs to one app of a business, in one
environment. Objects of the test environment (\`qk_test_…\`) and of the live environment (\`qk_live_…\`) never mix. Each
operation names the scope that the key needs. An app that has registered a signing key must also sign its requests (RFC
9421, Ed25519, over \`@method\`, \`@target-uri\` and \`content-digest\`, with \`created\` and \`nonce\`).

Bodies are JSON. A body with an unknown member is refused, and so is a query with an unknown name, so that a misspelt name
is not silently dropped. A body with the same member twice in one object is refused as well.

## Responses

Every response is \`{code, message, data}\`. On success the HTTP status and \`code\` are 200, and \`data\` holds the object under
its name. On failure \`code\` is the HTTP status × 100 plus a number, and \`data.error\` holds \`type\`, \`reason\`, \`request_id\`
and, where they help, \`param\`, \`decline_code\` and \`recommended_action\`. Branch on \`reason\`, which never changes. All reasons
are listed at [/docs/errors](docs/errors). Responses may gain members, but never lose one.

A payment that fails with 402 or 502 has \`data.order\` and \`data.transaction\` beside the error, and with 504 it usually has.
**504 means that the outcome is not known yet**: do not pay again. We find the outcome out; check the order, or wait for an
event.

## Idempotency

A request with an \`Idempotency-Key\` can be sent again for 30 days, for example after a lost response. The operation runs
once, and the first response is sent again with \`Idempotent-Replayed: true\`. The same key with another request is 422; while
the first request is still running, it is 409. After a 429 or 503, wait for the number of seconds in \`Retry-After\`, if there
is one.

## Amounts and times

Amounts of orders and plans are JSON numbers of the format \`decimal\`, with as many decimals as the currency has. Read them
as decimals, not as binary floating point. Amounts of cards and wallets are strings, such as \`"150.50"\`. Times are
RFC 3339 in UTC.

## Card numbers

Only the \`number\` of a \`credit_card\` is encrypted. Put card numbers into no other member and no header: references, names,
notes and keys are stored and shown as they were sent.

## Lists

Lists show the newest objects first. Page with \`offset\` and \`limit\`, or to any depth with \`cursor\`, which is \`next_cursor\` of
the previous page, together with the same \`filter\`. A page holds at most 1 MiB, so a page of large objects has fewer rows than
\`limit\`. Its \`page.limit\` is then the number of its rows, and the next page starts at \`page.offset + page.limit\`. A filter is
written as in [AIP-160](https://google.aip.dev/160): \`state = "open" AND initial_total >= 100\`. \`:\` means contains, \`*\` matches
any text, and \`OR\` binds tighter than \`AND\`.

## Webhooks

Register an endpoint, or set \`notify_url\` of an order or \`callback_url\` of a plan. What is posted there is described under
Webhooks. The same events can also be listed.
`.trim()
