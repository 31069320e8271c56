import { Code, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, type Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { ActionButton } from '#components/action-button.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { KINDS, type MessageKind } from '#pages/messages/kinds.ts'
import { languageName } from '#pages/messages/language-name.ts'
import { MESSAGE_LANGUAGES, type MessageLanguage } from '#pages/messages/languages.ts'
import { MessageFrame } from '#pages/messages/message-frame.tsx'

type Template = Pick<Schemas['MessageTemplate'], 'subject' | 'intro' | 'outro'>

const SCOPE = 'billing:write'
const TYPING_MS = 400
const NONE: Template = { subject: null, intro: null, outro: null }
const PLACEHOLDERS = [
  'customer_name',
  'business_name',
  'amount',
  'order_number',
  'document_number',
  'plan_name',
  'date',
  'link',
] as const

const route = getRouteApi('/shell/settings/messages/$kind')

export function TemplatePage() {
  const { t, i18n } = useTranslation('messages')
  const { kind: name } = route.useParams()
  const [language, setLanguage] = useState<MessageLanguage>(() => startLanguage(i18n.language))
  const kind = KINDS.find((one) => one === name)
  if (kind === undefined) return <TextLink to="/settings/messages">{t('setting.title')}</TextLink>
  return (
    <>
      <PageHeader
        title={t(`kind.${kind}`)}
        back={<TextLink to="/settings/messages">{t('setting.title')}</TextLink>}
      />
      <Text size="sm" c="dimmed" mb="md" maw={800}>
        {t(`setting.when.${kind}`)}
      </Text>
      <Select
        label={t('setting.template.language')}
        allowDeselect={false}
        mb="md"
        maw={300}
        data={MESSAGE_LANGUAGES.map((value) => ({ value, label: languageName(value, i18n.language) }))}
        value={language}
        onChange={(value) => value !== null && setLanguage(value)}
      />
      <StoredTemplate key={`${kind} ${language}`} kind={kind} language={language} />
    </>
  )
}

function startLanguage(shown: string): MessageLanguage {
  return MESSAGE_LANGUAGES.find((one) => one === shown) ?? 'en'
}

interface TemplateProps {
  readonly kind: MessageKind
  readonly language: MessageLanguage
}

function StoredTemplate({ kind, language }: TemplateProps) {
  const query = useApiQuery<Template | null>(
    ['message_templates', kind, language],
    async ({ quittance }, signal) => {
      try {
        return await quittance.messageTemplates.get(kind, language, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  )
  return (
    <Loaded query={query}>
      {(stored) => (
        <TemplateEditor key={JSON.stringify(stored)} kind={kind} language={language} stored={stored} />
      )}
    </Loaded>
  )
}

function TemplateEditor({ kind, language, stored }: TemplateProps & { readonly stored: Template | null }) {
  const { t } = useTranslation('messages')
  const { can } = useApi()
  const [draft, setDraft] = useState<Template>({ ...NONE, ...stored })
  const mayEdit = can(SCOPE)
  const isChanged = (['subject', 'intro', 'outro'] as const).some(
    (member) => draft[member] !== (stored ?? NONE)[member],
  )
  const edit = (member: keyof Template) => ({
    label: t(`setting.template.${member}`),
    description: t(`setting.template.${member}_text`),
    readOnly: !mayEdit,
    value: draft[member] ?? '',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ ...draft, [member]: value === '' ? null : value }),
  })
  const saving = useWrite({
    write: (quittance) =>
      quittance.messageTemplates.set(kind, language, {
        subject: draft.subject,
        intro: draft.intro,
        outro: draft.outro,
      }),
    onSuccess: () => notifications.show({ color: 'green', message: t('setting.template.saved') }),
  })
  const removing = useWrite({
    write: (quittance) => quittance.messageTemplates.delete(kind, language),
    onSuccess: () => notifications.show({ color: 'green', message: t('setting.template.removed') }),
  })
  const testing = useWrite({
    write: (quittance) => quittance.messageTemplates.test(kind, language, draft),
    onSuccess: ({ to }) =>
      notifications.show({ color: 'green', message: t('setting.template.tested', { to }) }),
  })
  const error = saving.error ?? removing.error ?? testing.error
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Section title={t('setting.template.title')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate()
          }}
        >
          <Stack gap="sm">
            <TextInput {...edit('subject')} maxLength={255} />
            <Textarea {...edit('intro')} autosize minRows={4} maxLength={5_000} />
            <Textarea {...edit('outro')} autosize minRows={2} maxLength={5_000} />
            <Group gap={6}>
              <Text size="sm" c="dimmed">
                {t('setting.template.placeholders')}
              </Text>
              {PLACEHOLDERS.map((name) => (
                <Code key={name}>{`{{${name}}}`}</Code>
              ))}
            </Group>
            {error !== null && <ErrorState error={error} />}
            <Group justify="flex-end" gap="xs">
              {stored !== null && (
                <ActionButton scope={SCOPE} loading={removing.isPending} onClick={() => removing.mutate()}>
                  {t('setting.template.remove')}
                </ActionButton>
              )}
              {mayEdit && (
                <BlockableButton
                  type="submit"
                  loading={saving.isPending}
                  blocked={isChanged ? undefined : t('setting.template.unchanged')}
                >
                  {t('setting.save')}
                </BlockableButton>
              )}
            </Group>
          </Stack>
        </form>
      </Section>
      <Section
        title={t('setting.template.preview')}
        actions={
          <ActionButton scope={SCOPE} loading={testing.isPending} onClick={() => testing.mutate()}>
            {t('setting.template.test')}
          </ActionButton>
        }
      >
        <Preview kind={kind} language={language} draft={draft} />
      </Section>
    </SimpleGrid>
  )
}

/** The message with example data and what was typed, after a pause in typing. */
function Preview({ kind, language, draft }: TemplateProps & { readonly draft: Template }) {
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const query = useApiQuery(
    ['message_templates', kind, language, 'preview', settled],
    ({ quittance }, signal) => quittance.messageTemplates.preview(kind, language, settled, { signal }),
    { placeholderData: keepPreviousData },
  )
  if (query.error !== null) return <ErrorState error={query.error} />
  return (
    <Loaded query={query}>
      {({ subject, html, text }) => (
        <Stack gap="xs">
          <Text fw={500} dir="auto">
            {subject}
          </Text>
          <MessageFrame subject={subject} html={html} text={text} />
        </Stack>
      )}
    </Loaded>
  )
}
