import type { Plan } from 'quittance'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ChangePlanDialog, RemoveChangeDialog } from '#pages/plans/change-plan-dialog.tsx'
import { CancelDialog, CreditDialog, PauseDialog, ResumeDialog } from '#pages/plans/plan-dialogs.tsx'
import { ChargeDialog } from '#pages/plans/charge-dialog.tsx'
import { EditPlanDialog } from '#pages/plans/edit-plan-dialog.tsx'
import { ReactivateDialog, TrialDialog, UncancelDialog } from '#pages/plans/lifecycle-dialogs.tsx'
import { isAllowed, type PlanAction } from '#pages/plans/plan.ts'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'
import { RetryDialog } from '#pages/plans/retry-dialog.tsx'

const DIALOGS: Readonly<Record<PlanAction, (props: PlanDialogProps) => ReactNode>> = {
  retry: RetryDialog,
  charge: ChargeDialog,
  change: ChangePlanDialog,
  remove_change: RemoveChangeDialog,
  pause: PauseDialog,
  resume: ResumeDialog,
  trial: TrialDialog,
  credit: CreditDialog,
  edit: EditPlanDialog,
  uncancel: UncancelDialog,
  cancel: CancelDialog,
  reactivate: ReactivateDialog,
}

/** These need the scope of payments. */
const MOVES_MONEY: ReadonlySet<PlanAction> = new Set(['retry', 'charge'])

/** What can be done with a plan now. */
export function PlanActions({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans')
  const [action, setAction] = useState<PlanAction>()
  const Dialog = action && DIALOGS[action]
  const shown = (Object.keys(DIALOGS) as PlanAction[]).filter((name) => isAllowed(name, plan))
  return (
    <>
      {shown.map((name) => (
        <ActionButton
          key={name}
          scope={MOVES_MONEY.has(name) ? 'payments:write' : 'recurring:write'}
          onClick={() => setAction(name)}
        >
          {t(`${name}.button`)}
        </ActionButton>
      ))}
      {Dialog !== undefined && <Dialog plan={plan} onClose={() => setAction(undefined)} />}
    </>
  )
}
