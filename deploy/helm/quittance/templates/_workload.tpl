{{- /* An api or worker Deployment: a list of the root context, the role and the role's values. */ -}}
{{- define "quittance.deployment" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $values := index . 2 -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "quittance.fullname" $root }}-{{ $role }}
  labels:
    {{- include "quittance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "quittance.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "quittance.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      {{- with $values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "quittance.serviceAccount" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 8 }}
      # 5 s until no new request arrives, then 30 s for what is under way.
      terminationGracePeriodSeconds: 50
      containers:
        - name: {{ $role }}
          image: {{ include "quittance.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ $role }}]
          env:
            {{- include "quittance.settings" $root | nindent 12 }}
            {{- if eq $role "worker" }}
            - name: WORKER_PORT
              value: '8080'
            {{- end }}
          ports:
            - { name: http, containerPort: 8080 }
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] }
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- toYaml $root.Values.securityContext | nindent 12 }}
          volumeMounts:
            {{- include "quittance.volumeMounts" $root | nindent 12 }}
      volumes:
        {{- include "quittance.volumes" $root | nindent 8 }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- with $values.topologySpreadConstraints }}
        {{- toYaml . | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "quittance.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
        {{- end }}
{{- end -}}

{{- define "quittance.autoscaler" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $values := index . 2 -}}
{{- if $values.autoscaling.enabled -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "quittance.fullname" $root }}-{{ $role }}
  labels:
    {{- include "quittance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "quittance.fullname" $root }}-{{ $role }}
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $values.autoscaling.targetCPUUtilizationPercentage }}
{{- end -}}
{{- end -}}

{{- define "quittance.disruptionBudget" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $values := index . 2 -}}
{{- if $values.disruptionBudget.enabled -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "quittance.fullname" $root }}-{{ $role }}
  labels:
    {{- include "quittance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  maxUnavailable: {{ $values.disruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "quittance.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
{{- end -}}
{{- end -}}

{{- define "quittance.service" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $service := index . 2 -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "quittance.fullname" $root }}-{{ $role }}
  labels:
    {{- include "quittance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
  {{- with $service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ $service.type }}
  selector:
    {{- include "quittance.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
  ports:
    - { name: http, port: {{ $service.port }}, targetPort: http }
{{- end -}}
