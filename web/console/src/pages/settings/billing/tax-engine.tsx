import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { ApiError, type Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Fields, Section } from '#components/section.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'

type Engine = Schemas['TaxEngine']

const ON_SILENCE = ['rates', 'none'] as const
const MAX_TIMEOUT_MS = 5_000

/** The service that is asked for taxes instead of the rates. Its secret is shown when it is registered. */
export function TaxEngine() {
  const { t } = useTranslation('billing')
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)
  const query = useApiQuery<Engine | null>(['tax_engine'], async (api, signal) => {
    try {
      return await api.quittance.taxEngine.get({ signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  })
  return (
    <Section title={t('engine.title')}>
      <Loaded query={query}>
        {(engine) => (
          <>
            {engine === null ? (
              <Text size="sm" c="dimmed">
                {t('engine.none')}
              </Text>
            ) : (
              <Fields
                fields={[
                  [t('engine.url'), <code key="url">{engine.url}</code>],
                  [t('engine.timeout_ms'), t('engine.milliseconds', { count: engine.timeout_ms })],
                  [t('engine.on_silence'), t(`engine.silence.${engine.on_silence}`)],
                ]}
              />
            )}
            <Group gap="xs" mt="sm">
              <ActionButton size="xs" scope="billing:write" onClick={() => setOpen('edit')}>
                {t(engine === null ? 'engine.add' : 'engine.edit')}
              </ActionButton>
              {engine !== null && (
                <ActionButton size="xs" scope="billing:write" onClick={() => setOpen('remove')}>
                  {t('engine.remove')}
                </ActionButton>
              )}
            </Group>
            {open === 'edit' && <EngineDialog engine={engine} onSecret={setSecret} onClose={close} />}
            {open === 'remove' && (
              <ActionDialog
                opened
                isDanger
                onClose={close}
                title={t('engine.remove_title')}
                confirmLabel={t('engine.remove')}
                doneMessage={t('engine.removed')}
                effect={t('engine.remove_effect')}
                run={(quittance) => quittance.taxEngine.delete()}
              />
            )}
          </>
        )}
      </Loaded>
      <SecretOnce
        title={t('engine.secret')}
        text={t('engine.secret_text')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Section>
  )
}

interface EngineDialogProps {
  readonly engine: Engine | null
  readonly onSecret: (secret: string | undefined) => void
  readonly onClose: () => void
}

function EngineDialog({ engine, onSecret, onClose }: EngineDialogProps) {
  const { t } = useTranslation('billing')
  const [url, setUrl] = useState(engine?.url ?? '')
  const [timeout, setTimeoutMs] = useState<number | string>(engine?.timeout_ms ?? MAX_TIMEOUT_MS)
  const [silence, setSilence] = useState<Engine['on_silence']>(engine?.on_silence ?? 'rates')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(engine === null ? 'engine.add' : 'engine.edit')}
      confirmLabel={t('save')}
      doneMessage={t('engine.saved')}
      effect={t('engine.effect')}
      isDisabled={url === '' || timeout === ''}
      run={(quittance) => quittance.taxEngine.set({ url, timeout_ms: Number(timeout), on_silence: silence })}
      onDone={({ secret }) => onSecret(secret)}
    >
      <TextInput
        label={t('engine.url')}
        type="url"
        required
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
      <NumberInput
        label={t('engine.timeout_ms')}
        description={t('engine.timeout_hint')}
        required
        allowDecimal={false}
        min={1}
        max={MAX_TIMEOUT_MS}
        value={timeout}
        onChange={setTimeoutMs}
      />
      <Select
        label={t('engine.on_silence')}
        data={ON_SILENCE.map((value) => ({ value, label: t(`engine.silence.${value}`) }))}
        value={silence}
        allowDeselect={false}
        onChange={(value) => value !== null && setSilence(value)}
      />
    </ActionDialog>
  )
}
