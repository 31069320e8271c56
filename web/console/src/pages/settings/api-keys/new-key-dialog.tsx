import { Button, Checkbox, Group, Input, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useShell } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'

type Scope = Schemas['NewApiKey']['scopes'][number]

/** ISO 8601, as the API takes them. */
const LIFETIMES = ['P30D', 'P90D', 'P1Y'] as const

const SHOP = /^(?:payments|customers|webhooks):/
const SUBSCRIPTIONS = /^(?:payments|customers|recurring|billing):/
const ISSUING = /^(?:cards|wallets):/

/** What programs of a kind usually need. The boxes below show it, and are changed by hand. */
const PRESETS: Readonly<Record<string, (scope: string) => boolean>> = {
  shop: (scope) => SHOP.test(scope),
  subscriptions: (scope) => SUBSCRIPTIONS.test(scope),
  issuing: (scope) => ISSUING.test(scope),
  read_only: (scope) => scope.endsWith(':read'),
  all: () => true,
}

export function NewKeyDialog({
  opened,
  onClose,
}: {
  readonly opened: boolean
  readonly onClose: () => void
}) {
  const { t } = useTranslation('keys')
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
        title={t('create')}
        effect={t(`effect_${api.environment}`)}
        confirmLabel={t('create')}
        isDisabled={scopes.length === 0}
        run={(quittance) =>
          quittance.apiKeys.create({
            name: name.trim(),
            scopes: scopes as Scope[],
            ...(lifetime !== 'never' && { expires_in: lifetime }),
          })
        }
        onDone={(reply) => setSecret(reply.secret)}
      >
        <TextInput
          label={t('name')}
          placeholder={t('example')}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Input.Wrapper label={t('preset.title')}>
          <Group gap={6} mt={4}>
            {Object.entries(PRESETS).map(([preset, isIn]) => (
              <Button
                key={preset}
                size="compact-sm"
                variant="default"
                onClick={() => setScopes(own.filter(isIn))}
              >
                {t(`preset.${preset}`)}
              </Button>
            ))}
          </Group>
        </Input.Wrapper>
        <Checkbox.Group
          label={t('scopes')}
          description={t('scopes_text')}
          value={scopes}
          onChange={setScopes}
        >
          <SimpleGrid cols={2} spacing={8} mt="xs">
            {own.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} size="sm" />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Select
          label={t('expires')}
          allowDeselect={false}
          data={[
            { value: 'never', label: t('never') },
            ...LIFETIMES.map((value) => ({ value, label: t(`lifetime.${value}`) })),
          ]}
          value={lifetime}
          onChange={(value) => setLifetime(value ?? lifetime)}
        />
      </ActionDialog>
      <SecretOnce
        title={t('created')}
        text={t('created_text')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
