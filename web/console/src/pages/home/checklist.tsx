import { Button, List, ThemeIcon } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Api } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { useStored } from '#app/stored.ts'
import { IconCheck, IconCircleDot } from '#components/icons.tsx'
import { TextLink } from '#components/links.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { Section } from '#components/section.tsx'

interface Step {
  readonly name: string
  readonly scope: string
  readonly to: string
  readonly isDone: (api: Api) => Promise<boolean>
}

const ONE = { limit: 1 } as const

const STEPS = [
  {
    name: 'key',
    scope: 'keys:read',
    to: '/settings/api-keys',
    isDone: ({ quittance }) => hasAny(quittance.apiKeys.list(ONE)),
  },
  {
    name: 'webhook',
    scope: 'webhooks:read',
    to: '/settings/webhooks',
    isDone: ({ quittance }) => hasAny(quittance.webhookEndpoints.list(ONE)),
  },
  {
    name: 'payment',
    scope: 'payments:read',
    to: '/orders',
    isDone: ({ quittance }) => hasAny(quittance.transactions.list({ ...ONE, filter: 'state = "succeeded"' })),
  },
  {
    name: 'brand',
    scope: 'admin:read',
    to: '/settings/branding',
    isDone: async ({ quittance }) => {
      const { logo, color, display_name: name } = await quittance.branding.get()
      return [logo, color, name].some((value) => value !== null)
    },
  },
  {
    name: 'acquirer',
    scope: 'admin:read',
    to: '/settings/acquirers',
    isDone: ({ quittance }) => hasAny(quittance.acquirerAccounts.list(ONE)),
  },
  {
    name: 'invoice',
    scope: 'billing:read',
    to: '/invoices',
    isDone: ({ quittance }) => hasAny(quittance.invoices.list(ONE)),
  },
  {
    name: 'mail',
    scope: 'billing:read',
    to: '/settings/messages',
    isDone: ({ quittance }) => hasAny(quittance.messages.list(ONE)),
  },
] as const satisfies readonly Step[]

async function hasAny(list: PromiseLike<{ readonly data: readonly unknown[] }>): Promise<boolean> {
  return (await list).data.length > 0
}

/** What a new business sets up. It looks by itself, and is gone once all is done or somebody hides it in this browser. */
export function Checklist() {
  const { t } = useTranslation('checklist')
  const api = useApi()
  const steps = STEPS.filter(({ scope }) => api.can(scope))
  const [isOver, setOver] = useStored(`checklist.${api.business}.${api.environment}`, isTrue)
  const { data: done } = useApiQuery(
    ['checklist'],
    () => Promise.all(steps.map((step) => step.isDone(api))),
    { enabled: isOver !== true },
  )
  const isComplete = done?.every(Boolean) === true
  useEffect(() => {
    if (isComplete) setOver(true)
  }, [isComplete, setOver])
  if (isOver === true || done === undefined || isComplete) return null
  return (
    <Section
      title={t('title', { done: done.filter(Boolean).length, all: steps.length })}
      actions={
        <Button size="compact-sm" variant="subtle" onClick={() => setOver(true)}>
          {t('hide')}
        </Button>
      }
    >
      <List center spacing={6} size="sm" listStyleType="none">
        {steps.map(({ name, to }, index) => (
          <List.Item
            key={name}
            icon={
              <ThemeIcon
                size={22}
                radius="xl"
                variant="light"
                color={done[index] === true ? 'green' : 'gray'}
              >
                {done[index] === true ? (
                  <IconCheck size={14} aria-hidden />
                ) : (
                  <IconCircleDot size={14} aria-hidden />
                )}
              </ThemeIcon>
            }
          >
            {done[index] === true ? t('done', { step: t(name) }) : <TextLink to={to}>{t(name)}</TextLink>}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

function isTrue(value: unknown): value is true {
  return value === true
}
