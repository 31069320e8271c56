import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { ActionButton } from '#components/action-button.tsx'
import { useFailureNotification } from '#components/error-text.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Section } from '#components/section.tsx'
import { SettingsForm } from '#components/settings-form.tsx'
import { useCouponOptions } from '#pages/coupons/coupons-field.tsx'
import { priceValues } from '#pages/products/price-list.tsx'
import { allowOf, type Draft, draftOf, isComplete } from '#pages/settings/portal/portal-draft.ts'

type Portal = Schemas['Portal']

const SCOPE = 'billing:write'
const MAX_PRICES = 100
const MAX_REASONS = 50
const MAX_PAUSE_DAYS = 3_650
const FLAGS = ['billing_details', 'usage', 'reactivate'] as const
const CHANGES_AT = ['now', 'period_end'] as const

export function PortalPage() {
  const { t } = useTranslation('portal')
  const query = useApiQuery(['portal'], ({ quittance }, signal) => quittance.portal.get({ signal }))
  return (
    <>
      <PageHeader title={t('title')} />
      <Loaded query={query}>
        {(portal) => (
          <Stack gap="md" maw={640}>
            <Section title={t('sign_in.title')}>
              <SignIn portal={portal} />
            </Section>
            <Section title={t('allow.title')}>
              <PortalForm portal={portal} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
  )
}

/** The address where customers have a link mailed to them, which needs a kind of message. */
function SignIn({ portal }: { readonly portal: Portal }) {
  const { t } = useTranslation('portal')
  const failureNotification = useFailureNotification()
  const settings = useApiQuery(['message_settings'], ({ quittance }, signal) =>
    quittance.messageSettings.get({ signal }),
  )
  const { mutate } = useWrite({
    write: (quittance, enabled: Schemas['MessageSettings']['enabled']) =>
      quittance.messageSettings.update({ enabled: [...enabled, 'portal_link'] }),
    onError: (error) => notifications.show(failureNotification(error)),
  })
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('sign_in.text')}
      </Text>
      <CopyableId id={portal.sign_in_url} />
      <Loaded query={settings}>
        {({ enabled }) =>
          enabled.includes('portal_link') ? (
            <>
              <Text size="sm">{t('sign_in.on')}</Text>
              <TextLink to="/settings/messages" fz="sm">
                {t('sign_in.messages')}
              </TextLink>
            </>
          ) : (
            <Group gap="xs">
              <Text size="sm">{t('sign_in.off')}</Text>
              <ActionButton scope={SCOPE} onClick={() => mutate(enabled)}>
                {t('sign_in.enable')}
              </ActionButton>
            </Group>
          )
        }
      </Loaded>
    </Stack>
  )
}

function PortalForm({ portal }: { readonly portal: Portal }) {
  const { t } = useTranslation('portal')
  const mayEdit = useApi().can(SCOPE)
  const [draft, setDraft] = useState(() => draftOf(portal))
  const edit = (members: Partial<Draft>) => setDraft({ ...draft, ...members })
  const submission = useWrite({
    write: (quittance) =>
      quittance.portal.update({ return_url: draft.returnUrl || null, allow: allowOf(draft) }),
    onSuccess: () => notifications.show({ color: 'green', message: t('saved') }),
  })
  return (
    <SettingsForm
      submission={submission}
      scope={SCOPE}
      saveLabel={t('save')}
      isComplete={isComplete(draft)}
      intro={t('allow.text')}
    >
      <Flag flag="invoices" draft={draft} mayEdit={mayEdit} onChange={edit} />
      <Checkbox
        label={t('allow.payment_methods')}
        disabled={!mayEdit}
        checked={draft.paymentMethods}
        onChange={({ currentTarget: { checked } }) => edit({ paymentMethods: checked })}
      />
      {draft.paymentMethods && (
        <Checkbox
          ml="xl"
          label={t('allow.remove_last')}
          disabled={!mayEdit}
          checked={draft.removeLast}
          onChange={({ currentTarget: { checked } }) => edit({ removeLast: checked })}
        />
      )}
      {FLAGS.map((flag) => (
        <Flag key={flag} flag={flag} draft={draft} mayEdit={mayEdit} onChange={edit} />
      ))}
      <ChangeFields draft={draft} mayEdit={mayEdit} onChange={edit} />
      <Checkbox
        label={t('allow.pause')}
        disabled={!mayEdit}
        checked={draft.pauses}
        onChange={({ currentTarget: { checked } }) => edit({ pauses: checked })}
      />
      {draft.pauses && (
        <NumberInput
          ml="xl"
          label={t('pause.max_days')}
          required
          allowDecimal={false}
          min={1}
          max={MAX_PAUSE_DAYS}
          disabled={!mayEdit}
          value={draft.maxDays}
          onChange={(maxDays) => edit({ maxDays })}
        />
      )}
      <CancelFields draft={draft} mayEdit={mayEdit} onChange={edit} />
      <TextInput
        type="url"
        label={t('return_url')}
        description={t('return_url_text')}
        disabled={!mayEdit}
        value={draft.returnUrl}
        onChange={({ currentTarget: { value } }) => edit({ returnUrl: value.trim() })}
      />
    </SettingsForm>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly mayEdit: boolean
  readonly onChange: (members: Partial<Draft>) => void
}

interface FlagProps extends FieldsProps {
  readonly flag: 'invoices' | (typeof FLAGS)[number]
}

function Flag({ flag, draft, mayEdit, onChange }: FlagProps) {
  const { t } = useTranslation('portal')
  return (
    <Checkbox
      label={t(`allow.${flag}`)}
      disabled={!mayEdit}
      checked={draft[flag]}
      onChange={({ currentTarget: { checked } }) => onChange({ [flag]: checked })}
    />
  )
}

function ChangeFields({ draft, mayEdit, onChange }: FieldsProps) {
  const { t, i18n } = useTranslation('portal')
  const { t: priceText } = useTranslation('prices')
  const { data: prices = [] } = useApiQuery(['prices', 'of_portal'], async ({ quittance }, signal) => {
    const page = await quittance.prices.list({ limit: MAX_PRICES, filter: 'state = active' }, { signal })
    return page.data
  })
  const options = prices.map((price) => ({
    value: price.id,
    label: `${price.label} · ${priceText(`text.${price.model}`, priceValues(price, i18n.language))}`,
  }))
  const others = draft.priceIds.filter((id) => !prices.some((price) => price.id === id))
  return (
    <>
      <Checkbox
        label={t('allow.change')}
        disabled={!mayEdit}
        checked={draft.changes}
        onChange={({ currentTarget: { checked } }) => onChange({ changes: checked })}
      />
      {draft.changes && (
        <Stack gap="sm" ml="xl">
          <MultiSelect
            label={t('change.price_ids')}
            description={t('change.price_ids_text')}
            required
            searchable
            hidePickedOptions
            maxValues={MAX_PRICES}
            disabled={!mayEdit}
            data={[...options, ...others.map((id) => ({ value: id, label: id }))]}
            value={[...draft.priceIds]}
            onChange={(priceIds) => onChange({ priceIds })}
          />
          <Select
            label={t('change.at')}
            allowDeselect={false}
            disabled={!mayEdit}
            data={CHANGES_AT.map((value) => ({ value, label: t(`change.${value}`) }))}
            value={draft.changesAt}
            onChange={(changesAt) => changesAt !== null && onChange({ changesAt })}
          />
        </Stack>
      )}
    </>
  )
}

function CancelFields({ draft, mayEdit, onChange }: FieldsProps) {
  const { t } = useTranslation('portal')
  const coupons = useCouponOptions()
  const { offer } = draft
  const isListed = offer === null || coupons.some(({ value }) => value === offer)
  return (
    <>
      <Checkbox
        label={t('allow.cancel')}
        disabled={!mayEdit}
        checked={draft.cancels}
        onChange={({ currentTarget: { checked } }) => onChange({ cancels: checked })}
      />
      {draft.cancels && (
        <Stack gap="sm" ml="xl">
          <TagsInput
            label={t('cancel.reasons')}
            description={t('cancel.reasons_text')}
            required
            acceptValueOnBlur
            maxTags={MAX_REASONS}
            disabled={!mayEdit}
            value={[...draft.reasons]}
            onChange={(reasons) => onChange({ reasons })}
          />
          <Select
            label={t('cancel.offer')}
            description={t('cancel.offer_text')}
            placeholder={t('cancel.no_offer')}
            clearable
            disabled={!mayEdit}
            data={isListed ? coupons : [...coupons, { value: offer, label: offer }]}
            value={offer}
            onChange={(id) => onChange({ offer: id })}
          />
        </Stack>
      )}
    </>
  )
}
