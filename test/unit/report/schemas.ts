import type { Schema } from '../../support/json-schema.ts';

const text: Schema = { type: 'string', minLength: 1 };
const any: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'integer', minimum: 1 };

/** The fields that gov uses of OCSF 1.8.0, with what the schema demands of them. */
const ocsfCommon: Readonly<Record<string, Schema>> = {
  time,
  count: { type: 'integer', minimum: 1 },
  activity_name: text,
  severity_id: { enum: [0, 1, 2, 3, 4, 5] },
  severity: { enum: ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical'] },
  message: any,
  metadata: {
    type: 'object',
    required: ['product', 'version'],
    properties: {
      version: { const: '1.8.0' },
      product: {
        type: 'object',
        required: ['name', 'vendor_name'],
        properties: { name: text, vendor_name: text, version: text },
      },
      profiles: { type: 'array', items: { const: 'security_control' } },
      uid: text,
      sequence: count,
      correlation_uid: any,
      event_code: text,
      log_name: text,
    },
  },
  action_id: { enum: [0, 1, 2] },
  disposition_id: { enum: [1, 2, 15, 99] },
  disposition: { enum: ['Allowed', 'Blocked', 'Detected', 'Asked'] },
  actor: {
    type: 'object',
    required: ['app_name'],
    properties: {
      app_name: text,
      session: { type: 'object', properties: { uid: any } },
      user: { type: 'object', required: ['name'], properties: { name: text } },
    },
  },
  policy: { type: 'object', required: ['uid'], properties: { uid: text, name: text } },
  resources: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: text } } },
  unmapped: { type: 'object', additionalProperties: true },
};

const api: Schema = {
  type: 'object',
  required: ['operation'],
  properties: { operation: text, service: { type: 'object', required: ['name'], properties: { name: text } } },
};

const BASE = ['time', 'metadata', 'severity_id', 'category_uid', 'class_uid', 'activity_id', 'type_uid'];

export const DETECTION_FINDING: Schema = {
  type: 'object',
  required: [...BASE, 'finding_info'],
  properties: {
    ...ocsfCommon,
    category_uid: { const: 2 },
    class_uid: { const: 2004 },
    activity_id: { const: 1 },
    type_uid: { const: 200401 },
    status_id: { const: 1 },
    is_alert: { type: 'boolean' },
    finding_info: {
      type: 'object',
      required: ['uid', 'title'],
      properties: {
        uid: text,
        title: text,
        desc: text,
        created_time: time,
        last_seen_time: time,
        related_events_count: count,
        analytic: {
          type: 'object',
          required: ['type_id'],
          properties: { type_id: { const: 1 }, type: { const: 'Rule' }, uid: text, name: text, version: text },
        },
      },
    },
    evidences: { type: 'array', items: { type: 'object', required: ['api'], properties: { api } } },
    remediation: { type: 'object', required: ['desc'], properties: { desc: text } },
  },
};

const activity = (id: number, name: Schema): Schema => ({
  type: 'object',
  required: [...BASE, 'actor', 'api', 'src_endpoint', 'activity_name'],
  properties: {
    ...ocsfCommon,
    category_uid: { const: 6 },
    class_uid: { const: 6003 },
    activity_id: { const: id },
    activity_name: name,
    type_uid: { const: 600300 + id },
    api,
    src_endpoint: { type: 'object', required: ['name'], properties: { name: text } },
  },
});

export const API_ACTIVITY: Schema = {
  anyOf: [activity(2, { const: 'Read' }), activity(3, { const: 'Update' }), activity(99, text)],
};

const message: Schema = { type: 'object', required: ['text'], properties: { text } };
const level: Schema = { enum: ['none', 'note', 'warning', 'error'] };

/** The structure of SARIF 2.1.0 as far as gov uses it. */
export const SARIF: Schema = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', pattern: '^https://.*sarif' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: text,
                  version: text,
                  rules: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: {
                        id: text,
                        shortDescription: message,
                        defaultConfiguration: { type: 'object', properties: { level } },
                      },
                    },
                  },
                },
              },
            },
          },
          automationDetails: { type: 'object', properties: { id: text } },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          properties: { type: 'object', additionalProperties: true },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                ruleId: text,
                ruleIndex: count,
                level,
                kind: { const: 'fail' },
                message,
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      logicalLocations: {
                        type: 'array',
                        items: { type: 'object', properties: { fullyQualifiedName: any, kind: text } },
                      },
                    },
                  },
                },
                occurrenceCount: { type: 'integer', minimum: 1 },
                partialFingerprints: { type: 'object', additionalProperties: text },
                properties: { type: 'object', additionalProperties: true },
              },
            },
          },
        },
      },
    },
  },
};
