import { del, get, list, post, put } from '../methods.ts'

const BASE = '/svc/billing/api/v1/openapi' as const
const SETTINGS = `${BASE}/message_settings` as const
const MESSAGES = `${BASE}/messages` as const
const TEMPLATES = `${BASE}/message_templates/{kind}/{language}` as const
const SUPPRESSIONS = `${BASE}/suppressions` as const

/** Which messages are mailed to payers, and how. */
export const messageSettings = {
  get: get(SETTINGS, () => ({}), 'message_settings'),
  update: put(SETTINGS, (settings) => ({ body: { message_settings: settings } }), 'message_settings'),
}

/** What was mailed to payers. */
export const messages = {
  list: list(MESSAGES, (query?) => ({ query }), 'messages'),
  get: get(`${MESSAGES}/{id}`, (id) => ({ path: { id } }), 'message'),
  /** Makes a new message to today's recipient. */
  resend: post(`${MESSAGES}/{id}/resend`, (id) => ({ path: { id } }), 'message'),
  /** Reports what a mail service said of a message or an address later. */
  reportBounce: post(`${MESSAGES}/bounces`, (bounce) => ({ body: { bounce } }), 'bounce'),
}

/** The business's own texts of messages, by kind and language. */
export const messageTemplates = {
  get: get(TEMPLATES, (kind, language) => ({ path: { kind, language } }), 'message_template'),
  set: put(
    TEMPLATES,
    (kind, language, template) => ({ path: { kind, language }, body: { message_template: template } }),
    'message_template',
  ),
  delete: del(TEMPLATES, (kind, language) => ({ path: { kind, language } }), 'message_template'),
  preview: post(
    `${TEMPLATES}/preview`,
    (kind, language, template) => ({
      path: { kind, language },
      body: { message_template: template },
      reads: true,
    }),
    'message_preview',
  ),
  /** Mails example data to the user who is signed in. */
  test: post(
    `${TEMPLATES}/test`,
    (kind, language, template) => ({
      path: { kind, language },
      body: { message_template: template },
      keyless: true,
    }),
    'message_test',
  ),
}

/** Addresses that get no messages, or none of the optional kinds. */
export const suppressions = {
  list: list(SUPPRESSIONS, (query?) => ({ query }), 'suppressions'),
  delete: del(`${SUPPRESSIONS}/{address}`, (address) => ({ path: { address } }), 'suppression'),
}
