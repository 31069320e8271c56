import { Group, Select, Text } from '@mantine/core'
import { type Made, triggers } from 'quittance/triggers'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { beforeValue } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Section } from '#components/section.tsx'

type Name = keyof typeof triggers

const NAMES = Object.keys(triggers) as Name[]

/** Which scope makes the objects of an event. */
function scopeOf(name: Name): string {
  if (name.startsWith('wallet')) return 'wallets:write'
  if (name.startsWith('card')) return 'cards:write'
  if (/^(?:invoice|bank_entry|message)/.test(name)) return 'billing:write'
  if (/^(?:plan|cycle)/.test(name)) return 'recurring:write'
  return name.startsWith('payment_token') ? 'customers:write' : 'payments:write'
}

/** Some triggers change more than new objects. */
function effectOf(name: Name) {
  if (name === 'bank_entry.matched') return 'trigger.effect_statement'
  if (name === 'settlement') return 'trigger.effect_settlement'
  return name === 'message.bounced' ? 'trigger.effect_bounce' : 'trigger.effect'
}

/** A settlement has no event. The first id of others is that of the event's object. */
function MadeLink({ made }: { readonly made: Made }) {
  const { reconciliation } = made
  if (reconciliation !== undefined) {
    return (
      <TextLink to="/reconciliations/$id" params={{ id: reconciliation }} fz="sm">
        {reconciliation}
      </TextLink>
    )
  }
  const [id = ''] = Object.values(made)
  return (
    <TextLink to="/events" search={{ filter: `object_id = ${id}` }} fz="sm">
      {id}
    </TextLink>
  )
}

/** Events sent by hand: real ones, of real objects of the test environment. */
export function Triggers() {
  const { t } = useTranslation('sandbox')
  const [name, setName] = useState<Name>('order.paid')
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<Made>()
  return (
    <Section
      title={t('trigger.title')}
      actions={
        <TextLink to="/deliveries" fz="sm">
          {t('trigger.redeliver')}
        </TextLink>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {t('trigger.text')}
      </Text>
      <Group align="flex-end" gap="xs">
        <Select
          label={t('trigger.event')}
          data={NAMES}
          value={name}
          searchable
          allowDeselect={false}
          onChange={(value) => setName(NAMES.find((one) => one === value) ?? name)}
        />
        <ActionButton scope={scopeOf(name)} onClick={() => setOpen(true)}>
          {t('trigger.button')}
        </ActionButton>
      </Group>
      {made !== undefined && (
        <Text size="sm" mt="xs" aria-live="polite">
          {beforeValue(t('trigger.made'))}
          <MadeLink made={made} />
        </Text>
      )}
      <ActionDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('trigger.confirm_title', { name })}
        confirmLabel={t('trigger.button')}
        doneMessage={t('trigger.done', { name })}
        effect={t(effectOf(name), { name })}
        run={(quittance) => triggers[name](quittance)}
        onDone={setMade}
      />
    </Section>
  )
}
