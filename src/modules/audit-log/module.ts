import { defineModule } from '#platform/module'
import { operatorLog } from './api/operator-log.ts'
import { auditLogRoutes } from './api/routes.ts'
import { verifyAuditLog } from './audit/verify.ts'
import type { AuditLogDependencies } from './dependencies.ts'
import { AUDIT_LOG_PERSONAL_DATA } from './storage/personal-data.ts'
import { writeAudit } from './writes/write-audit.ts'

export const auditLogModule = defineModule({
  name: 'audit-log',
  verify: verifyAuditLog,
  personalData: AUDIT_LOG_PERSONAL_DATA,
  connect: (deps: AuditLogDependencies) => ({
    writeAudit: writeAudit(deps),
    operatorLog: operatorLog(deps.db),
    routes: auditLogRoutes(deps),
  }),
})
