import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { RoleFields, type Roles } from '#pages/settings/role-fields.tsx'
import { SecretOnce } from '#pages/settings/secret-once.tsx'

const FIRST_ROLES: Roles = { test_role: 'developer', live_role: 'read_only' }

export function InviteDialog({
  opened,
  onClose,
}: {
  readonly opened: boolean
  readonly onClose: () => void
}) {
  const { t } = useTranslation('settings')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState(FIRST_ROLES)
  const [link, setLink] = useState<string>()
  return (
    <>
      <ActionDialog
        opened={opened}
        onClose={() => {
          onClose()
          setEmail('')
          setRoles(FIRST_ROLES)
        }}
        title={t('people.invite_title')}
        effect={t('people.invite_effect')}
        confirmLabel={t('people.invite')}
        doneMessage={t('people.invited')}
        isDisabled={roles.test_role === null && roles.live_role === null}
        run={(quittance) => quittance.invitations.create({ email: email.trim(), ...roles })}
        onDone={(reply) => setLink(reply.link ?? undefined)}
      >
        <TextInput
          label={t('people.email')}
          type="email"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleFields roles={roles} onChange={setRoles} />
      </ActionDialog>
      <SecretOnce
        title={t('people.link_title')}
        text={t('people.link_text')}
        secret={link}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}
