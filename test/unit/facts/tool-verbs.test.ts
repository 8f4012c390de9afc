import { describe, expect, test } from 'vitest';
import { looksOnly } from '../../../src/facts/tool-verbs.ts';

describe('what the name of a tool says', () => {
  test.each([
    'list_issues',
    'get_file_contents',
    'search_code',
    'resolve-library-id',
    'get_deleted_items',
    'check_push_status',
    'pods_list',
    'browser_snapshot',
    'getDiagnostics',
    'sequentialthinking',
  ])('%s looks', (tool) => expect(looksOnly(tool)).toBe(true));
  test.each([
    'create_issue',
    'git_commit',
    'pods_delete',
    'browser_click',
    'send_message',
    'update_and_get',
    'nuke',
    'get_or_create_user',
    '',
  ])('%s may change something', (tool) => expect(looksOnly(tool)).toBe(false));
});
