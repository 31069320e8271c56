import { defineRoute, type Route } from '#platform/http/routes/route'
import type { PortalContext } from '../context.ts'
import { signInPath } from '../model/session.ts'
import { createSession } from '../sessions/create-session.ts'
import { editSettings, settingsOf, type SettingsView } from '../settings/edit-settings.ts'
import { renderPortal, renderSession } from './render.ts'
import { CreateSessionBody, EditPortalBody, PortalData, SessionData } from './schemas.ts'

const PATH = '/svc/billing/api/v1/openapi/portal'
const TAG = 'Portal settings'

export function settingsRoutes(ctx: PortalContext): Route[] {
  const render = (view: SettingsView) =>
    renderPortal(view, `${ctx.publicUrl()}${signInPath(view.businessId)}`)
  return [
    defineRoute({
      method: 'PUT',
      path: PATH,
      scope: 'billing:write',
      summary: 'Edit the customer portal',
      description:
        'Says what customers may do for themselves, by default nothing. Members that are left out stay; `allow` is replaced as a whole.',
      tag: TAG,
      body: EditPortalBody,
      example: {
        portal: {
          return_url: 'https://shop.example.com/account',
          allow: {
            invoices: true,
            payment_methods: true,
            billing_details: true,
            cancel: { reasons: ['Too expensive', 'Not used'] },
          },
        },
      },
      data: PortalData,
      handle: ({ caller, body }) => editSettings(ctx, caller, body.portal),
      render,
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'billing:read',
      summary: 'Get the customer portal',
      tag: TAG,
      data: PortalData,
      handle: ({ caller }) => settingsOf(ctx, caller),
      render,
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/sessions`,
      scope: 'customers:write',
      // A kept reply would hold the token. A second session does no harm.
      takesIdempotencyKey: false,
      summary: 'Open the customer portal for a customer',
      description:
        'Send the customer to `url`, which opens once within 15 minutes, or call the portal yourself with `token` for 60 minutes. `send` also mails the link to the customer. Give either only to somebody who is signed in with you as this customer.',
      tag: TAG,
      body: CreateSessionBody,
      example: {
        portal_session: {
          customer_uuid: 'cus_01m82g27rde57v77qfb3qj2d2m',
          return_url: 'https://shop.example.com/account',
        },
      },
      data: SessionData,
      handle: ({ caller, body }) => createSession(ctx, caller, body.portal_session),
      render: renderSession,
    }),
  ]
}
