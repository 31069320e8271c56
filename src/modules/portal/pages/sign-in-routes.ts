import { say } from '#kernel/say'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formOf, languageFor, queryOf, wordsOf } from '#modules/checkout'
import { html } from '#platform/http/html'
import type { CountRequest } from '#platform/http/rate-limit'
import { isMailAddress } from '#platform/mail/address'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import { signInPath } from '../model/session.ts'
import { mailLink } from '../sessions/mail-link.ts'
import { showPlain } from './plain-page.ts'

/** Longer than mailing takes, so that the time of a response does not show whether the address is known. */
const RESPONSE_MS = 400

export function registerSignIn(pages: FastifyInstance, ctx: PortalContext, countForm: CountRequest): void {
  const path = signInPath(':businessId')
  pages.get(path, async (request, reply) => {
    const businessId = await requireBusiness(ctx, request)
    return showForm(request, reply, businessId)
  })
  pages.post(path, async (request, reply) => {
    await countForm(request)
    const businessId = await requireBusiness(ctx, request)
    const address = (formOf(request).get('email') ?? '').trim()
    if (!isMailAddress(address)) return showForm(request, reply, businessId, address)
    await Promise.all([mailLink(ctx, businessId, address, flowOf(request)), delay(RESPONSE_MS)])
    return showPlain(ctx, request, reply, {
      businessId,
      path: signInPath(businessId),
      content: (t, name) => ({ title: t.sentTitle, body: html`<p>${say(t.sentText, { name })}</p>` }),
    })
  })

  function showForm(
    request: FastifyRequest,
    reply: Parameters<typeof showPlain>[2],
    businessId: string,
    wrong?: string,
  ) {
    const words = wordsOf(languageFor(request))
    const flow = flowOf(request)
    return showPlain(ctx, request, reply, {
      businessId,
      path: signInPath(businessId),
      content: (t, name, to) => ({
        title: say(t.signInTitle, { name }),
        body: html`<p>${t.signInText}</p>
          <form
            method="post"
            action="${to(signInPath(businessId), flow === null ? {} : { flow })}"
            novalidate
          >
            <div class="field">
              <label for="email">${words.email}</label>
              <input
                id="email"
                name="email"
                type="email"
                autocomplete="email"
                inputmode="email"
                spellcheck="false"
                maxlength="255"
                value="${wrong ?? ''}"
                ${wrong !== undefined && html` aria-invalid="true" aria-describedby="email-problem" autofocus`}
              />
              ${wrong !== undefined && html`<p class="field-problem" id="email-problem">${words.problems.emailInvalid}</p>`}
            </div>
            <button type="submit">${t.signInButton}</button>
          </form>`,
      }),
    })
  }
}

function flowOf(request: FastifyRequest): 'payment_method' | null {
  return queryOf(request, 'flow') === 'payment_method' ? 'payment_method' : null
}

/** A business that mails no links has no such page. */
async function requireBusiness(ctx: PortalContext, request: FastifyRequest): Promise<string> {
  const { businessId } = request.params as { businessId: string }
  if (!/^[\w-]{1,64}$/.test(businessId) || !(await ctx.businesses.exists(businessId)))
    throw errors.portal_page_not_found()
  if (!(await ctx.messages.isEnabled(businessId, 'portal_link'))) throw errors.portal_page_not_found()
  return businessId
}
