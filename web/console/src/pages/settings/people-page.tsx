import { Button, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useShell } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { InviteDialog } from '#pages/settings/invite-dialog.tsx'
import { Invitations } from '#pages/settings/invitations.tsx'
import { roleText, RoleFields } from '#pages/settings/role-fields.tsx'

type Member = Schemas['Member']

/** A business with more members than this is an exception. */
const MEMBERS = 1_000

export function PeoplePage() {
  const { t } = useTranslation(['settings', 'components'])
  const api = useApi()
  const { session } = useShell()
  const [edited, setEdited] = useState<Member>()
  const [removed, setRemoved] = useState<Member>()
  const [isInviting, setInviting] = useState(false)
  const mayEdit = api.can('users:write')
  const { data, error, refetch } = useQuery({
    queryKey: api.key('members'),
    queryFn: ({ signal }) =>
      api.quittance.members.list({ limit: 100 }, { signal }).toArray({ limit: MEMBERS }),
  })
  return (
    <>
      <PageHeader
        title={t('people.title')}
        actions={
          mayEdit && (
            <Button size="xs" onClick={() => setInviting(true)}>
              {t('people.invite')}
            </Button>
          )
        }
      />
      <Stack gap="md">
        {error !== null && <ErrorState error={error} retry={refetch} />}
        {data === undefined && error === null && <PageSkeleton />}
        {data !== undefined && (
          <Section title={t('people.members')}>
            <ScrollTable label={t('people.members')} minWidth={560} verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('people.name')}</Table.Th>
                  <Table.Th>{t('people.test_role')}</Table.Th>
                  <Table.Th>{t('people.live_role')}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>{t('actions')}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((member) => (
                  <Table.Tr key={member.id}>
                    <Table.Td>
                      {member.name}{' '}
                      {member.id === session.user.id && (
                        <StateBadge state="you" label={t('people.you')} tone="plain" />
                      )}
                      <Text size="xs" c="dimmed">
                        {member.email}
                      </Text>
                    </Table.Td>
                    <Table.Td>{roleText(t, member.test_role)}</Table.Td>
                    <Table.Td>{roleText(t, member.live_role)}</Table.Td>
                    <Table.Td ta="right">
                      {mayEdit && (
                        <Group gap={6} justify="flex-end" wrap="nowrap">
                          <Button
                            size="compact-xs"
                            variant="default"
                            aria-label={t('people.edit_name', { name: member.name })}
                            onClick={() => setEdited(member)}
                          >
                            {t('people.edit')}
                          </Button>
                          <Button
                            size="compact-xs"
                            variant="default"
                            aria-label={t('people.remove_name', { name: member.name })}
                            onClick={() => setRemoved(member)}
                          >
                            {t('people.remove')}
                          </Button>
                        </Group>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </ScrollTable>
          </Section>
        )}
        <Invitations mayEdit={mayEdit} />
      </Stack>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      {edited !== undefined && (
        <EditMember key={edited.id} member={edited} onClose={() => setEdited(undefined)} />
      )}
      <ActionDialog
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('people.remove_title', { name: removed?.name })}
        effect={t('people.remove_effect')}
        confirmLabel={t('people.remove')}
        doneMessage={t('people.removed')}
        isDanger
        run={(quittance) => (removed ? quittance.members.remove(removed.id) : Promise.resolve())}
      />
    </>
  )
}

function EditMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [roles, setRoles] = useState({ test_role: member.test_role, live_role: member.live_role })
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('people.edit_title', { name: member.name })}
      confirmLabel={t('save')}
      doneMessage={t('people.saved')}
      isDisabled={roles.test_role === null && roles.live_role === null}
      run={(quittance) => quittance.members.update(member.id, roles)}
    >
      <RoleFields roles={roles} onChange={setRoles} />
    </ActionDialog>
  )
}
