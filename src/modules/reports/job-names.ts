export const REPORT_DAYS = 'report_days'
export const REPORT_PLANS = 'report_plans'
