import type { Plan } from 'quittance'

export interface PlanDialogProps {
  readonly plan: Plan
  readonly onClose: () => void
}
