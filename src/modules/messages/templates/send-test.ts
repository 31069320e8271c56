import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { TemplateEdit } from '../requests/message-requests.ts'
import { previewTemplate, type TemplateKey } from './templates.ts'

const RETRY_AFTER_SECONDS = 10

/**
 * Mails a message with example data to the user who asks, and to nobody else, so that nobody is mailed by it who did not ask.
 * It is no message to a payer: nothing is stored, and a test environment sends it, too.
 * @returns the address
 */
export async function sendTest(
  ctx: MessagesContext,
  caller: Caller,
  key: TemplateKey,
  edit: TemplateEdit,
): Promise<string> {
  const { type, id } = caller.actor
  const to = type === 'user' ? await ctx.emailOfUser(id) : undefined
  if (to === undefined) throw errors.no_address_of_caller()
  if (ctx.mailer === undefined) throw errors.mail_server_missing()
  const { subject, html, text } = await previewTemplate(ctx, caller, key, edit)
  try {
    await ctx.mailer.send({ to, subject, html, text })
  } catch (cause) {
    throw platformErrors.unavailable({
      message: 'The mail server did not take the test.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    })
  }
  return to
}
