import { NumberInput, Select, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { useFailureNotification } from '#components/error-text.ts'
import { joinSentences } from '#components/joined.ts'
import { ButtonLink, TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'
import { KINDS, type MessageKind } from '#pages/messages/kinds.ts'
import { languageName } from '#pages/messages/language-name.ts'
import { isMessageLanguage, MESSAGE_LANGUAGES } from '#pages/messages/languages.ts'

type Settings = Schemas['MessageSettings']

const SCOPE = 'billing:write'
const MAX_RENEWAL_DAYS = 90
const MAX_MESSAGE_DAYS = 3_660
const OPTIONAL: ReadonlySet<MessageKind> = new Set(['card_expiring', 'usage_alert', 'balance_low'])

export function MessageSettingsPage() {
  const { t } = useTranslation('messages')
  const query = useApiQuery(['message_settings'], ({ quittance }, signal) =>
    quittance.messageSettings.get({ signal }),
  )
  return (
    <>
      <PageHeader
        title={t('setting.title')}
        actions={
          <ButtonLink to="/messages" variant="default" size="sm">
            {t('setting.outbox')}
          </ButtonLink>
        }
      />
      <Loaded query={query}>
        {(settings) => (
          <Stack gap="md" maw={800}>
            <Section title={t('setting.kinds')}>
              <Kinds settings={settings} />
            </Section>
            <Section title={t('setting.general')}>
              <GeneralForm settings={settings} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
  )
}

/** Each kind with its moment and its switch. */
function Kinds({ settings: { enabled } }: { readonly settings: Settings }) {
  const { t, i18n } = useTranslation(['messages', 'components'])
  const { can } = useApi()
  const failureNotification = useFailureNotification()
  const { mutate, isPending, variables } = useWrite({
    write: (quittance, kind: MessageKind) =>
      quittance.messageSettings.update({
        enabled: KINDS.filter((one) => enabled.includes(one) !== (one === kind)),
      }),
    onError: (error) => notifications.show(failureNotification(error)),
  })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('setting.kinds_text')}
      </Text>
      {!can(SCOPE) && (
        <Text size="sm" mb="xs">
          {t('components:action.scope_missing', { scope: SCOPE })}
        </Text>
      )}
      <Table verticalSpacing="sm" aria-label={t('setting.kinds')}>
        <Table.Tbody>
          {KINDS.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Td>
                <TextLink to="/settings/messages/$kind" params={{ kind }} fw={500}>
                  {t(`kind.${kind}`)}
                </TextLink>
                <Text size="sm" c="dimmed">
                  {joinSentences(i18n.language, [
                    t(`setting.when.${kind}`),
                    OPTIONAL.has(kind) ? t('setting.optional') : '',
                  ])}
                </Text>
              </Table.Td>
              <Table.Td w={60} ta="right">
                <Switch
                  aria-label={t(`kind.${kind}`)}
                  checked={enabled.includes(kind) !== (isPending && variables === kind)}
                  disabled={!can(SCOPE) || isPending}
                  onChange={() => mutate(kind)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

function GeneralForm({ settings }: { readonly settings: Settings }) {
  const { t, i18n } = useTranslation('messages')
  const api = useApi()
  const mayEdit = api.can(SCOPE)
  const [draft, setDraft] = useState(settings)
  const [days, setDays] = useState<number | string>(settings.renewal_days)
  const [kept, setKept] = useState<number | string>(settings.message_days)
  const submission = useWrite({
    write: (quittance) =>
      quittance.messageSettings.update({
        reply_to: draft.reply_to,
        bcc: draft.bcc,
        language: isMessageLanguage(draft.language) ? draft.language : null,
        join_receipt: draft.join_receipt,
        renewal_days: Number(days),
        message_days: Number(kept),
        ...(api.environment === 'test' && { deliver_in_test: draft.deliver_in_test }),
      }),
    onSuccess: () => notifications.show({ color: 'green', message: t('setting.saved') }),
  })
  return (
    <SettingsForm
      submission={submission}
      scope={SCOPE}
      saveLabel={t('setting.save')}
      isComplete={days !== '' && kept !== ''}
    >
      <TextInput
        type="email"
        label={t('setting.reply_to')}
        description={t('setting.reply_to_text')}
        disabled={!mayEdit}
        value={draft.reply_to ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDraft({ ...draft, reply_to: value.trim() === '' ? null : value.trim() })
        }
      />
      <TextInput
        type="email"
        label={t('setting.bcc')}
        description={t('setting.bcc_text')}
        disabled={!mayEdit}
        value={draft.bcc ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDraft({ ...draft, bcc: value.trim() === '' ? null : value.trim() })
        }
      />
      <Select
        label={t('setting.language')}
        description={t('setting.language_text')}
        clearable
        disabled={!mayEdit}
        placeholder={languageName('en', i18n.language)}
        data={MESSAGE_LANGUAGES.map((value) => ({ value, label: languageName(value, i18n.language) }))}
        value={draft.language}
        onChange={(language) => setDraft({ ...draft, language })}
      />
      <NumberInput
        label={t('setting.renewal_days')}
        description={t('setting.renewal_days_text')}
        required
        allowDecimal={false}
        min={1}
        max={MAX_RENEWAL_DAYS}
        disabled={!mayEdit}
        value={days}
        onChange={setDays}
      />
      <NumberInput
        label={t('setting.message_days')}
        description={t('setting.message_days_text')}
        required
        allowDecimal={false}
        min={1}
        max={MAX_MESSAGE_DAYS}
        disabled={!mayEdit}
        value={kept}
        onChange={setKept}
      />
      <Switch
        label={t('setting.join_receipt')}
        description={t('setting.join_receipt_text')}
        disabled={!mayEdit}
        checked={draft.join_receipt}
        onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, join_receipt: checked })}
      />
      {api.environment === 'test' && (
        <Switch
          label={t('setting.deliver_in_test')}
          description={t('setting.deliver_in_test_text')}
          disabled={!mayEdit}
          checked={draft.deliver_in_test}
          onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, deliver_in_test: checked })}
        />
      )}
    </SettingsForm>
  )
}
