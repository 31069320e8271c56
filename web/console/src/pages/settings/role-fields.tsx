import { Select } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Role, ROLES } from '#app/session.ts'

export interface Roles {
  readonly test_role: Role | null
  readonly live_role: Role | null
}

export function roleText(t: TFunction<['settings', 'components']>, role: Role | null): string {
  return role === null ? t('people.no_role') : t(`components:role.${role}`)
}

interface RoleFieldsProps {
  readonly roles: Roles
  readonly onChange: (roles: Roles) => void
}

/** The roles in both environments, each with what it may do. */
export function RoleFields({ roles, onChange }: RoleFieldsProps) {
  const { t } = useTranslation(['settings', 'components'])
  const data = [
    { value: 'none', label: t('people.no_role') },
    ...ROLES.map((role) => ({ value: role, label: t(`components:role.${role}`) })),
  ]
  return (['test_role', 'live_role'] as const).map((name) => (
    <Select
      key={name}
      label={t(`people.${name}`)}
      description={t(`people.role_text.${roles[name] ?? 'none'}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={data}
      value={roles[name] ?? 'none'}
      onChange={(value) => onChange({ ...roles, [name]: value === 'none' ? null : value })}
    />
  ))
}
