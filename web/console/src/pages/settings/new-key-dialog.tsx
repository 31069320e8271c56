import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCOUNT } from '#app/api.ts'
import { useApi, useShell } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'

/** ISO 8601, as the API takes them. */
const LIFETIMES = ['P30D', 'P90D', 'P1Y'] as const

export function NewKeyDialog({
  opened,
  onClose,
}: {
  readonly opened: boolean
  readonly onClose: () => void
}) {
  const { t } = useTranslation('settings')
  const api = useApi()
  const { membership } = useShell()
  // Nobody can give a key more than they may do themselves.
  const own = api.environment === 'live' ? membership.live_scopes : membership.test_scopes
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const [lifetime, setLifetime] = useState('never')
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <ActionDialog
        opened={opened}
        onClose={() => {
          onClose()
          setName('')
          setScopes([])
          setLifetime('never')
        }}
        title={t('keys.create')}
        effect={t(`keys.effect_${api.environment}`)}
        confirmLabel={t('keys.create')}
        isDisabled={scopes.length === 0}
        run={(options) =>
          api.call<{ secret: string }>('POST', `${ACCOUNT}/api_keys`, {
            body: {
              api_key: { name: name.trim(), scopes, ...(lifetime !== 'never' && { expires_in: lifetime }) },
            },
            ...options,
          })
        }
        onDone={(reply) => setSecret(reply.secret)}
      >
        <TextInput
          label={t('keys.name')}
          placeholder={t('keys.example')}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={t('keys.scopes')}
          description={t('keys.scopes_text')}
          value={scopes}
          onChange={setScopes}
        >
          <SimpleGrid cols={2} spacing={6} mt="xs">
            {own.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} size="xs" />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Select
          label={t('keys.expires')}
          allowDeselect={false}
          data={[
            { value: 'never', label: t('keys.never') },
            ...LIFETIMES.map((value) => ({ value, label: t(`keys.lifetime.${value}`) })),
          ]}
          value={lifetime}
          onChange={(value) => setLifetime(value ?? lifetime)}
        />
      </ActionDialog>
      <SecretOnce
        title={t('keys.created')}
        text={t('keys.created_text')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
