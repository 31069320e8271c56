import { test } from 'vitest'
import { redactBeginning, redactJson } from '#platform/security/redact-json'
import {
  containsCardNumber,
  maskCardNumbers,
  maskSecretWords,
  redactLine,
} from '#platform/security/redaction'
import { HOSTILE_TEXTS } from '#platform/testing/hostile-texts'
import { expectLinearTime } from '#platform/testing/processor-time'

// Proves reference/logs#redaction.
test.each(
  Object.entries({
    redactJson,
    redactLine,
    maskCardNumbers,
    maskSecretWords,
    containsCardNumber,
    redactBeginning: (text: string) => redactBeginning(text, text.length),
  }),
)(
  '%s takes time linear in the text, whatever the text repeats',
  (name, redact) => {
    for (const text of HOSTILE_TEXTS)
      expectLinearTime(`${name} of ${text.name}`, (length) => redact(text.ofLength(length)))
  },
  120_000,
)
