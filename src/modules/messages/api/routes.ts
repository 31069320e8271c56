import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, ListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { MessagesContext } from '../context.ts'
import { messageById, messagesOfPage } from '../lists/read-messages.ts'
import { resendMessage } from '../make/resend-message.ts'
import { editSettings, settingsOf } from '../settings/edit-settings.ts'
import { MESSAGE_FIELDS } from '../storage/message.repository.ts'
import { reportBounce } from '../suppressions/report-bounce.ts'
import { endSuppression, suppressionsOfPage } from '../suppressions/suppressions.ts'
import { sendTest } from '../templates/send-test.ts'
import { previewTemplate, putTemplate, removeTemplate, templateOf } from '../templates/templates.ts'
import {
  renderBounce,
  renderMessageData,
  renderMessagesPage,
  renderPreview,
  renderSettings,
  renderSuppression,
  renderSuppressionsPage,
  renderTemplate,
  renderTest,
} from './render.ts'
import {
  AddressParams,
  BounceBody,
  BounceData,
  EditSettingsBody,
  MessageData,
  MessageSettingsData,
  MessagesPage,
  PLACEHOLDER_UNKNOWN,
  PreviewData,
  SuppressionData,
  SuppressionsPage,
  TemplateBody,
  TemplateData,
  TemplateParams,
  TestData,
} from './schemas.ts'

const BASE = '/svc/billing/api/v1/openapi'
const TEMPLATE = `${BASE}/message_templates/:kind/:language`
const TAG = 'Messages'

export function messageRoutes(ctx: MessagesContext): Route[] {
  return [...settingsRoutes(ctx), ...sentRoutes(ctx), ...templateRoutes(ctx), ...suppressionRoutes(ctx)]
}

function settingsRoutes(ctx: MessagesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/message_settings`,
      scope: 'billing:read',
      summary: 'Get the settings of messages',
      tag: TAG,
      data: MessageSettingsData,
      handle: ({ caller }) => settingsOf(ctx, caller),
      render: renderSettings,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/message_settings`,
      scope: 'billing:write',
      summary: 'Edit the settings of messages',
      description: 'Members that are left out stay. No kind is enabled by default.',
      tag: TAG,
      body: EditSettingsBody,
      example: {
        message_settings: { enabled: ['receipt', 'payment_failed'], reply_to: 'help@shop.example' },
      },
      data: MessageSettingsData,
      handle: ({ caller, body }) => editSettings(ctx, caller, body.message_settings),
      render: renderSettings,
    }),
  ]
}

function sentRoutes(ctx: MessagesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/messages`,
      scope: 'billing:read',
      summary: 'List messages',
      tag: TAG,
      query: filteredListQuery(MESSAGE_FIELDS),
      data: MessagesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('messages', query)
        return renderMessagesPage(
          request,
          await messagesOfPage(ctx, caller, query.filter, request),
          ctx.domain(),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/messages/:id`,
      scope: 'billing:read',
      summary: 'Get a message',
      tag: TAG,
      params: IdParams,
      data: MessageData,
      handle: ({ caller, params }) => messageById(ctx, caller, params.id),
      render: (message) => renderMessageData(message, ctx.domain()),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/messages/:id/resend`,
      scope: 'billing:write',
      summary: 'Send a message again',
      description: "Makes a new message to today's recipient. It obeys suppressions.",
      tag: TAG,
      params: IdParams,
      data: MessageData,
      handle: ({ caller, params }) => resendMessage(ctx, caller, params.id),
      render: (message) => renderMessageData(message, ctx.domain()),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/messages/bounces`,
      scope: 'billing:write',
      summary: 'Report a bounce or a complaint',
      description: 'For services that send mails and report later what became of them.',
      tag: TAG,
      body: BounceBody,
      example: { bounce: { address: 'amy@example.com', kind: 'hard' } },
      data: BounceData,
      handle: ({ caller, body }) => reportBounce(ctx, caller, body.bounce),
      render: renderBounce,
    }),
  ]
}

function templateRoutes(ctx: MessagesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: TEMPLATE,
      scope: 'billing:read',
      summary: 'Get a template of messages',
      tag: TAG,
      params: TemplateParams,
      data: TemplateData,
      handle: ({ caller, params }) => templateOf(ctx, caller, params),
      render: renderTemplate,
    }),
    defineRoute({
      method: 'PUT',
      path: TEMPLATE,
      scope: 'billing:write',
      summary: 'Set a template of messages',
      description: 'Members that are left out stay; null brings the built-in text back.',
      tag: TAG,
      params: TemplateParams,
      body: TemplateBody,
      example: { message_template: { intro: 'Thank you, {{customer_name}}.' } },
      data: TemplateData,
      failures: { 422: PLACEHOLDER_UNKNOWN },
      handle: ({ caller, params, body }) => putTemplate(ctx, caller, params, body.message_template),
      render: renderTemplate,
    }),
    defineRoute({
      method: 'DELETE',
      path: TEMPLATE,
      scope: 'billing:write',
      summary: 'Delete a template of messages',
      description: 'The built-in texts stand again.',
      tag: TAG,
      params: TemplateParams,
      data: TemplateData,
      handle: ({ caller, params }) => removeTemplate(ctx, caller, params),
      render: renderTemplate,
    }),
    defineRoute({
      method: 'POST',
      path: `${TEMPLATE}/preview`,
      scope: 'billing:read',
      summary: 'Preview a template of messages',
      description: 'Renders example data with these texts and stores nothing.',
      tag: TAG,
      params: TemplateParams,
      body: TemplateBody,
      example: { message_template: { intro: 'Thank you, {{customer_name}}.' } },
      data: PreviewData,
      failures: { 422: PLACEHOLDER_UNKNOWN },
      handle: ({ caller, params, body }) => previewTemplate(ctx, caller, params, body.message_template),
      render: renderPreview,
    }),
    defineRoute({
      method: 'POST',
      path: `${TEMPLATE}/test`,
      scope: 'billing:write',
      takesIdempotencyKey: false,
      summary: 'Send a test of a message to oneself',
      description: 'Mails example data with these texts to the user who is signed in. An API key gets 409.',
      tag: TAG,
      params: TemplateParams,
      body: TemplateBody,
      example: { message_template: { intro: 'Thank you, {{customer_name}}.' } },
      data: TestData,
      failures: { 422: PLACEHOLDER_UNKNOWN },
      handle: ({ caller, params, body }) => sendTest(ctx, caller, params, body.message_template),
      render: renderTest,
    }),
  ]
}

function suppressionRoutes(ctx: MessagesContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/suppressions`,
      scope: 'billing:read',
      summary: 'List suppressed addresses',
      tag: TAG,
      query: ListQuery,
      data: SuppressionsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('suppressions', query)
        return renderSuppressionsPage(request, await suppressionsOfPage(ctx, caller, request))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/suppressions/:address`,
      scope: 'billing:write',
      summary: 'End the suppression of an address',
      tag: TAG,
      params: AddressParams,
      data: SuppressionData,
      handle: ({ caller, params }) => endSuppression(ctx, caller, params.address),
      render: renderSuppression,
    }),
  ]
}
