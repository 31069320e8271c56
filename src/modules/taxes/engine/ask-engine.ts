import { realNowMs } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { type JsonObject, parseJson } from '#kernel/json'
import { messageHeaders, signatures, signingKeyOf } from '#platform/security/standard-webhooks'
import type { TaxesContext } from '../context.ts'
import { type CustomerTaxId, TAX_ID_STATES } from '../model/party.ts'
import { engineSecretBinding, type TaxEngine } from '../model/tax-engine.ts'
import { findEngine } from '../storage/tax-engine.repository.ts'
import type { EngineTaxes, TaxAnswers, TaxQuestion } from '../model/tax-answers.ts'
import { withAnswers } from './with-answers.ts'
import { isObject, readTaxes } from './read-taxes.ts'

const MAX_RESPONSE_BYTES = 256 * 1024

/**
 * The values and members that a response may have. They decide how long its parsing holds the event loop: this many
 * take some 30 ms.
 */
const MAX_TOKENS = 40_000

/** The tokens of what surrounds the lines. */
const TOKENS_OF_ANSWER = 64

/** The tokens of a line with 20 taxes of three members. */
const TOKENS_OF_LINE = 146

/** Questions are asked in groups of this size. After a group without any answer the rest are not asked. */
const CONCURRENT = 16

export function withTaxEngine<Result>(
  ctx: TaxesContext,
  businessId: string,
  isPreview: boolean,
  work: (answers: TaxAnswers) => Promise<Result>,
): Promise<Result> {
  return withAnswers((questions) => askForTaxes(ctx, businessId, isPreview, questions), work)
}

async function askForTaxes(
  ctx: TaxesContext,
  businessId: string,
  isPreview: boolean,
  questions: readonly TaxQuestion[],
): Promise<ReadonlyMap<string, EngineTaxes | null>> {
  const answers = new Map<string, EngineTaxes | null>(questions.map(({ key }) => [key, null]))
  const engine = await ctx.db.transact(businessId, findEngine)
  if (engine === undefined) return answers
  for (let at = 0; at < questions.length; at += CONCURRENT) {
    const asked = questions.slice(at, at + CONCURRENT)
    const replies = await Promise.all(
      asked.map(({ body, lines }) =>
        ask(ctx, businessId, engine, { kind: 'taxes', preview: isPreview, ...body }, lines.length),
      ),
    )
    for (const [index, question] of asked.entries()) {
      answers.set(question.key, readTaxes(replies[index], question))
    }
    if (asked.length === CONCURRENT && replies.every((reply) => reply === undefined)) break
  }
  return answers
}

export async function askForTaxId(
  ctx: TaxesContext,
  businessId: string,
  value: string,
): Promise<CustomerTaxId['state']> {
  const engine = await ctx.db.transact(businessId, findEngine)
  if (engine === undefined) return 'unverified'
  const reply = await ask(ctx, businessId, engine, { kind: 'tax_id', value })
  return TAX_ID_STATES.find((state) => state === reply?.['state']) ?? 'unverified'
}

/** Undefined for silence: no response in time, a status other than 2xx, or no JSON object. Never rejects. */
async function ask(
  ctx: TaxesContext,
  businessId: string,
  engine: TaxEngine,
  message: object,
  lines = 0,
): Promise<JsonObject | undefined> {
  try {
    const body = Buffer.from(JSON.stringify(message))
    const secret = ctx.keyring.open(engine.sealedSecret, engineSecretBinding(businessId))
    const id = newId('msg')
    const timestamp = Math.floor(realNowMs() / 1_000)
    const response = await ctx.egress.post({
      url: engine.url,
      headers: {
        ...messageHeaders(id, timestamp),
        'webhook-signature': signatures([signingKeyOf(secret)], { id, timestamp, body }),
      },
      body,
      timeoutMs: engine.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    })
    if (response.kind === 'unanswered' || response.status < 200 || response.status > 299) return undefined
    const maxTokens = Math.min(TOKENS_OF_ANSWER + lines * TOKENS_OF_LINE, MAX_TOKENS)
    if (tokensOf(response.text) > maxTokens) return undefined
    const reply = parseJson(response.text)
    return isObject(reply) ? reply : undefined
  } catch {
    return undefined
  }
}

const COMMA = ','.charCodeAt(0)
const COLON = ':'.charCodeAt(0)
const BRACKET = '['.charCodeAt(0)
const BRACE = '{'.charCodeAt(0)

/** Also counts tokens within texts. */
function tokensOf(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) tokens += 1
  }
  return tokens
}
