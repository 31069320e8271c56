import {
  Checkbox,
  MultiSelect,
  PasswordInput,
  Select,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import type { AcquirerAccount } from '#pages/settings/acquirers/account-list.tsx'

type Acquirer = AcquirerAccount['acquirer']
type Method = AcquirerAccount['methods'][number]

type Wallets = NonNullable<AcquirerAccount['wallets']>

const CREDENTIALS: Readonly<Record<Acquirer, readonly string[]>> = {
  stripe: ['secret_key', 'publishable_key', 'webhook_secret'],
  adyen: ['api_key', 'client_key', 'merchant_account', 'hmac_key'],
  airwallex: ['client_id', 'api_key', 'webhook_secret', 'account_id'],
}
/** Of keys that reach several accounts. */
const OPTIONAL_CREDENTIALS: ReadonlySet<string> = new Set(['account_id'])
const REAL_WALLETS = {
  wallet_a: { method: 'wallet_a_pay', names: ['wechat_pay'] },
  wallet_b: { method: 'wallet_b', names: ['alipay_hk', 'alipay'] },
} as const
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
  const storedFile = account?.apple_pay_domain_file ?? ''
  const [domainFile, setDomainFile] = useState(storedFile)
  const isRegistered = account?.apple_pay_domain?.state === 'registered'
  const [wallets, setWallets] = useState<Wallets>(account?.wallets ?? {})
  const shownWallets = Object.entries(REAL_WALLETS).filter(
    ([, { method }]) => acquirer === 'airwallex' && methods.includes(method),
  )
  const namedWallets = Object.fromEntries(
    shownWallets.flatMap(([wallet]) => {
      const real = wallets[wallet as keyof Wallets]
      return real === undefined ? [] : [[wallet, real]]
    }),
  ) as Wallets
  const given = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''))
  const shared = {
    name: name.trim(),
    methods: methods as Method[],
    currencies: currencies.map((currency) => currency.toUpperCase()),
    raw_card_numbers: raw,
    ...(Object.keys(namedWallets).length > 0 && { wallets: namedWallets }),
    ...(apiBase !== '' && apiBase !== account?.api_base && { api_base: apiBase.trim() }),
    // A file that is sent again asks again for a domain that is not registered.
    ...((domainFile.trim() !== storedFile || (storedFile !== '' && !isRegistered)) && {
      apple_pay_domain_file: domainFile.trim() || null,
    }),
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
            { value: 'airwallex', label: 'Airwallex' },
          ]}
          value={acquirer}
          onChange={(value) => {
            setAcquirer(value ?? acquirer)
            setCredentials({})
            setDomainFile('')
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
          description={credentialHint(credential, isNew, t)}
          required={isNew && !OPTIONAL_CREDENTIALS.has(credential)}
          withAsterisk={false}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('settings:show_secret') }}
          value={credentials[credential] ?? ''}
          onChange={(event) => setCredentials({ ...credentials, [credential]: event.currentTarget.value })}
        />
      ))}
      {acquirer !== 'stripe' && (
        <TextInput
          label={t('api_base')}
          description={t(acquirer === 'adyen' ? 'api_base_text' : 'api_base_proxy')}
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
      {shownWallets.map(([wallet, { names }]) => (
        <Select
          key={wallet}
          label={t(`wallet.${wallet}`)}
          description={t('wallet.first')}
          clearable
          data={names.map((value) => ({ value, label: t(`wallet.${value}`) }))}
          value={wallets[wallet as keyof Wallets] ?? null}
          onChange={(value) => setWallets({ ...wallets, [wallet]: value ?? undefined })}
        />
      ))}
      {acquirer === 'airwallex' && (
        <>
          <Text size="sm" c="dimmed">
            {t('airwallex_text')}
          </Text>
          <Textarea
            label={t('apple_pay.file')}
            description={t('apple_pay.file_text')}
            rows={3}
            maxLength={20_000}
            spellCheck={false}
            value={domainFile}
            onChange={(event) => setDomainFile(event.currentTarget.value)}
          />
        </>
      )}
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

function credentialHint(credential: string, isNew: boolean, t: TFunction<'acquirers'>): string | undefined {
  if (!isNew) return t('unchanged')
  return OPTIONAL_CREDENTIALS.has(credential) ? t('account_id_text') : undefined
}
