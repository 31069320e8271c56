import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { brandOf } from '../content/build-content.ts'
import type { MessageKind } from '../model/kinds.ts'
import { PLACEHOLDERS } from '../model/placeholders.ts'
import type { TemplateEdit } from '../requests/message-requests.ts'
import type { MessageTemplate } from '../model/template.ts'
import type { RenderedMessage } from '../rendering/content.ts'
import { exampleContent } from '../rendering/example.ts'
import { unknownPlaceholders } from '../rendering/placeholders.ts'
import { renderMessage } from '../rendering/render.ts'
import { deleteTemplate, findTemplate, saveTemplate } from '../storage/template.repository.ts'

export interface TemplateKey {
  readonly kind: MessageKind
  readonly language: string
}

export async function templateOf(
  ctx: MessagesContext,
  { businessId }: Caller,
  { kind, language }: TemplateKey,
): Promise<MessageTemplate> {
  const found = await ctx.db.transact(businessId, (tx) => findTemplate(tx, kind, language))
  if (found === undefined) throw errors.message_template_not_found()
  return found
}

/** Members that are left out stay as they are, as null the built-in text. */
export function putTemplate(
  ctx: MessagesContext,
  caller: Caller,
  { kind, language }: TemplateKey,
  edit: TemplateEdit,
): Promise<MessageTemplate> {
  checkPlaceholders(edit)
  return once(ctx.db, caller, async (tx) => {
    const before = await findTemplate(tx, kind, language)
    const template = merged({ kind, language }, before, edit)
    await saveTemplate(tx, template)
    return template
  })
}

export function removeTemplate(
  ctx: MessagesContext,
  caller: Caller,
  { kind, language }: TemplateKey,
): Promise<MessageTemplate> {
  return once(ctx.db, caller, async (tx) => {
    const deleted = await deleteTemplate(tx, kind, language)
    if (deleted === undefined) throw errors.message_template_not_found()
    return deleted
  })
}

/** Renders example data with these texts, or with the stored ones where none are sent. Stores nothing. */
export async function previewTemplate(
  ctx: MessagesContext,
  { businessId }: Caller,
  key: TemplateKey,
  edit: TemplateEdit,
): Promise<RenderedMessage> {
  checkPlaceholders(edit)
  const [branding, profile, stored] = await Promise.all([
    ctx.businesses.branding(businessId),
    ctx.businesses.profile(businessId),
    ctx.db.transact(businessId, (tx) => findTemplate(tx, key.kind, key.language)),
  ])
  const publicUrl = ctx.publicUrl()
  return renderMessage(
    exampleContent({
      ...key,
      brand: brandOf({ branding, profile }, publicUrl),
      currency: profile.currency,
      override: merged(key, stored, edit),
      url: publicUrl,
    }),
  )
}

function merged(key: TemplateKey, before: MessageTemplate | undefined, edit: TemplateEdit): MessageTemplate {
  return {
    ...key,
    subject: edit.subject === undefined ? (before?.subject ?? null) : edit.subject,
    intro: edit.intro === undefined ? (before?.intro ?? null) : edit.intro,
    outro: edit.outro === undefined ? (before?.outro ?? null) : edit.outro,
  }
}

function checkPlaceholders({ subject, intro, outro }: TemplateEdit): void {
  const unknown = unknownPlaceholders([subject, intro, outro].filter((text) => text != null))
  if (unknown.length === 0) return
  throw errors.placeholder_unknown({
    param: 'message_template',
    message: `These placeholders are unknown: ${unknown.join(', ')}. Known are ${PLACEHOLDERS.join(', ')}.`,
    data: { unknown, known: [...PLACEHOLDERS] },
  })
}
