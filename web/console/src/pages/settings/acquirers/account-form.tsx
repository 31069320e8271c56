import { Checkbox, MultiSelect, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import type { AcquirerAccount } from '#pages/settings/acquirers/account-list.tsx'

type Acquirer = AcquirerAccount['acquirer']
type Method = AcquirerAccount['methods'][number]

const CREDENTIALS: Readonly<Record<Acquirer, readonly string[]>> = {
  stripe: ['secret_key', 'publishable_key', 'webhook_secret'],
  adyen: ['api_key', 'client_key', 'merchant_account', 'hmac_key'],
}
const METHODS: readonly Method[] = ['credit_card', 'payment_token', 'wallet_a_pay', 'wallet_b', 'fps']

interface AccountFormProps {
  /** Undefined for a new one. */
  readonly account: AcquirerAccount | undefined
  readonly onClose: () => void
}

/** Credentials are never shown. Those that are left empty stay as they are. */
export function AccountForm({ account, onClose }: AccountFormProps) {
  const { t } = useTranslation(['acquirers', 'components', 'settings'])
  const isNew = account === undefined
  const [acquirer, setAcquirer] = useState<Acquirer>(account?.acquirer ?? 'stripe')
  const [name, setName] = useState(account?.name ?? '')
  const [credentials, setCredentials] = useState<Readonly<Record<string, string>>>({})
  const [apiBase, setApiBase] = useState(account?.api_base ?? '')
  const [methods, setMethods] = useState<string[]>(
    account === undefined ? ['credit_card'] : [...account.methods],
  )
  const [currencies, setCurrencies] = useState<string[]>(account === undefined ? [] : [...account.currencies])
  const [descriptor, setDescriptor] = useState(account?.statement_descriptor ?? '')
  const [raw, setRaw] = useState(account?.raw_card_numbers ?? false)
  const given = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''))
  const shared = {
    name: name.trim(),
    methods: methods as Method[],
    currencies: currencies.map((currency) => currency.toUpperCase()),
    raw_card_numbers: raw,
    ...(apiBase !== '' && apiBase !== account?.api_base && { api_base: apiBase.trim() }),
    ...((descriptor !== '' || !isNew) && { statement_descriptor: descriptor.trim() || null }),
  }
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(isNew ? 'connect' : 'edit_title', { name: account?.name })}
      effect={t(isNew ? 'connect_effect' : 'edit_effect')}
      confirmLabel={t(isNew ? 'connect' : 'settings:save')}
      isDisabled={methods.length === 0}
      run={(quittance) =>
        isNew
          ? quittance.acquirerAccounts.create({ ...shared, acquirer, credentials: given })
          : quittance.acquirerAccounts.update(account.id, {
              ...shared,
              ...(Object.keys(given).length > 0 && { credentials: given }),
            })
      }
    >
      {isNew && (
        <Select
          label={t('acquirer')}
          allowDeselect={false}
          data={[
            { value: 'stripe', label: 'Stripe' },
            { value: 'adyen', label: 'Adyen' },
          ]}
          value={acquirer}
          onChange={(value) => {
            setAcquirer(value ?? acquirer)
            setCredentials({})
          }}
        />
      )}
      <TextInput
        label={t('name')}
        required
        withAsterisk={false}
        data-autofocus
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {CREDENTIALS[acquirer].map((credential) => (
        <PasswordInput
          key={credential}
          label={t(`credential.${credential}`)}
          description={isNew ? undefined : t('unchanged')}
          required={isNew}
          withAsterisk={false}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('settings:show_secret') }}
          value={credentials[credential] ?? ''}
          onChange={(event) => setCredentials({ ...credentials, [credential]: event.currentTarget.value })}
        />
      ))}
      {acquirer === 'adyen' && (
        <TextInput
          label={t('api_base')}
          description={t('api_base_text')}
          type="url"
          value={apiBase}
          onChange={(event) => setApiBase(event.currentTarget.value)}
        />
      )}
      <MultiSelect
        label={t('methods')}
        data={METHODS.map((value) => ({ value, label: t(`components:method.${value}`) }))}
        value={methods}
        onChange={setMethods}
      />
      <TagsInput
        label={t('currencies')}
        description={t('currencies_text')}
        value={currencies}
        onChange={setCurrencies}
      />
      <TextInput
        label={t('statement_descriptor')}
        maxLength={22}
        value={descriptor}
        onChange={(event) => setDescriptor(event.currentTarget.value)}
      />
      <Checkbox
        label={t('raw')}
        description={t('raw_text')}
        checked={raw}
        onChange={(event) => setRaw(event.currentTarget.checked)}
      />
    </ActionDialog>
  )
}
