import { Group, Menu, SegmentedControl, Text, UnstyledButton } from '@mantine/core'
import { IconBuildingStore, IconCheck, IconChevronDown } from '#components/icons.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Environment, scopesIn } from '#app/session.ts'
import { useShell } from '#app/shell-context.ts'

/** Chooses the business and the environment. Objects differ between them, so that the choice leads to Home. */
export function PlaceSwitch() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { session, membership, api } = useShell()
  const go = (business: string, environment: Environment) =>
    void navigate({ to: '/', search: { business, environment } })
  const environments = (['test', 'live'] as const).filter(
    (environment) => scopesIn(membership, environment).length > 0,
  )
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton
          aria-label={t('place.current', {
            business: membership.business.name,
            environment: t(`place.${api.environment}`),
          })}
        >
          <Group gap={6} wrap="nowrap" miw={0}>
            <IconBuildingStore size={20} stroke={1.7} aria-hidden />
            <Text span fw={600} size="sm" truncate maw={{ base: 110, sm: 170 }}>
              {membership.business.name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('place.environment')}</Menu.Label>
        <SegmentedControl
          fullWidth
          m={4}
          aria-label={t('place.environment')}
          value={api.environment}
          data={environments.map((value) => ({ value, label: t(`place.${value}`) }))}
          onChange={(environment) => go(api.business, environment)}
        />
        <Menu.Divider />
        <Menu.Label>{t('place.business')}</Menu.Label>
        {session.memberships.map(({ business }) => (
          <Menu.Item
            key={business.code}
            onClick={() => go(business.code, api.environment)}
            rightSection={business.code === api.business && <IconCheck size={16} aria-hidden />}
            aria-current={business.code === api.business ? 'true' : undefined}
          >
            {business.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
