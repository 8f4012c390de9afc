import type { EffectDraft } from '../model/effect.ts';
import { knownPrefix, render, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, reads, word } from './drafts.ts';

const MKFS = words(
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.jfs mkfs.reiserfs mkfs.udf mkfs.erofs mkfs.bcachefs mke2fs mkntfs mkdosfs mkexfatfs newfs newfs_hfs newfs_apfs newfs_msdos mkswap mkreiserfs',
);

/** Programs that format, partition, mount and check disks. */
export const disks: readonly Program[] = [
  define({
    names: MKFS,
    manual: 'mkfs(8), mke2fs(8), mkfs.xfs(8), mkswap(8)',
    summary: 'makes a file system',
    options:
      't type:, L label:, F, f force, n:, N:, m:, b:, d:, E:, I:, i:, O:, U uuid:, q quiet, v verbose, c check, s:, S:, A, D:, h, R:, r:, C:, G:, g:, J:, j, l:, M:, o:, p:, T:, u:, e:, K, P, w:, V, H, Q, a, k:',
    run: (args) => {
      // The device is the first operand; numbers after it are sizes.
      const [device] = args.operands.filter((value) => !/^\d+[kKmMgG]?$/.test(word(value)));
      return device
        ? { files: [draft('write', device, { force: true })], effects: [disk(device, 'makes a file system on')] }
        : {};
    },
  }),
  define({
    names: [
      'wipefs',
      'blkdiscard',
      'sgdisk',
      'gdisk',
      'cgdisk',
      'fdisk',
      'sfdisk',
      'cfdisk',
      'partx',
      'partprobe',
      'badblocks',
      'cryptsetup',
      'mdadm',
      'zpool',
      'zfs',
      'lvremove',
      'vgremove',
      'pvremove',
      'pvcreate',
      'vgcreate',
      'lvcreate',
      'lvresize',
      'lvreduce',
      'lvextend',
      'dmsetup',
      'hdparm',
      'nvme',
      'tune2fs',
      'resize2fs',
      'e2label',
      'fatlabel',
      'xfs_admin',
      'btrfs',
      'e2fsck',
      'fsck',
      'fsck.ext4',
      'xfs_repair',
      'ntfsfix',
      'parted',
      'gparted',
      'diskutil',
      'asr',
      'gpt',
      'flashrom',
      'fwupdmgr',
      'testdisk',
    ],
    manual: 'wipefs(8), fdisk(8), parted(8), cryptsetup(8), lvm(8), diskutil(8)',
    summary: 'changes partitions, volumes and what is on them',
    options:
      'l list, h help, V version, n no-act, a all, f force, s script, p print, i info, o:, t:, x, d, D dump, q, v, w:',
    run: (args, { name }) => {
      const verb = args.operands.map(word).find((text) => /^[a-z][a-zA-Z]+$/.test(text)) ?? '';
      const device = args.operands.find((value) => /^\/dev\/|^disk\d/.test(knownPrefix(value)));
      if (onlyLooks(name, verb, args.has.bind(args))) return {};
      const target = device ?? args.operands.find((value) => word(value) !== verb) ?? args.operands[0];
      if (!target) return {};
      return {
        effects: [disk(target, `${name}${verb === '' ? '' : ` ${verb}`}:`)],
        ...(device ? { files: [draft('write', device)] } : {}),
      };
    },
  }),
  define({
    names: [
      'mount',
      'umount',
      'swapon',
      'swapoff',
      'losetup',
      'fusermount',
      'fusermount3',
      'sshfs',
      'mount.nfs',
      'mount.cifs',
      'mount_nfs',
      'hdiutil',
      'pivot_root',
      'switch_root',
      'bindfs',
      'udisksctl',
      'veracrypt',
      'kpartx',
      'automount',
    ],
    manual: 'mount(8), umount(8), swapon(8), losetup(8)',
    summary: 'mounts and unmounts',
    options:
      'a all, t types:, o options:, l lazy, f force, r read-only, v verbose, n no-mtab, L label:, U uuid:, bind B, rbind R, move M, T target-prefix:, u, z, s, show, summary, list, P partscan, j associated:, d detach, D detach-all, c, O:, noheadings, raw, output:, p priority:, e, h, V, i, w',
    run: (args, { name }) => {
      const verb = word(args.operands[0]);
      const shows =
        (args.operands.length === 0 && !args.has('a', 'D')) ||
        args.has('show', 'summary', 'list', 'j', 'V', 'h') ||
        (name === 'mount' && args.has('l') && args.operands.length === 0) ||
        (name === 'hdiutil' && /^(info|imageinfo|verify|checksum)$/.test(verb));
      if (shows) return {};
      const target = args.operands.map(render).join(' ');
      return { effects: [{ ...effect('mount', target, `${name} ${target}`), force: args.has('f') }] };
    },
  }),
  define({
    names: ['mknod'],
    manual: 'mknod(1), GNU coreutils',
    summary: 'makes device files and pipes',
    options: 'm mode:, Z, context?',
    run: (args) => {
      const [path, type] = args.operands;
      if (!path) return {};
      const effects: EffectDraft[] =
        word(type) === 'p' ? [] : [effect('kernel', render(path), `makes the device file ${render(path)}`)];
      return { files: [draft('create', path)], effects };
    },
  }),
  define({
    names: ['chattr', 'setfattr', 'setcap', 'xattr', 'chflags', 'SetFile', 'attr'],
    manual: 'chattr(1), setfattr(1), setcap(8), xattr(1)',
    summary: 'changes attributes of files',
    options: 'R recursive r, f, v:, p:, n:, x:, w, c, d:, h no-dereference, l, V, q, s, z, restore:, H',
    run: (args, { name }) => {
      if (name === 'xattr' && !args.has('w', 'c', 'd')) return { files: reads(args.operands) };
      const minus = args.unknown.filter((letter) => /^[aAcCdDeFijmPsStTux]$/.test(letter)).join('');
      const skip = name === 'chattr' ? (minus === '' ? 1 : 0) : name === 'setcap' || name === 'chflags' ? 1 : 0;
      const mode = name === 'chattr' && minus !== '' ? `-${minus}` : word(args.operands[0]);
      const paths = args.operands.slice(skip);
      const granted =
        name === 'setcap'
          ? [effect('privilege', word(args.operands[0]), `gives capabilities: ${word(args.operands[0])}`)]
          : [];
      return { files: drafts('chmod', paths, { mode: `${name} ${mode}`, recursive: args.has('R') }), effects: granted };
    },
  }),
];

function disk(device: Value, does: string): EffectDraft {
  return effect('disk', render(device), `${does} ${render(device)}`);
}

function onlyLooks(name: string, verb: string, has: (...names: string[]) => boolean): boolean {
  if (has('l', 'h', 'V', 'D')) return true;
  if (name === 'wipefs') return !has('a', 'o', 't');
  if (/^(sgdisk|gdisk|parted|sfdisk)$/.test(name) && (has('p', 'i') || verb === 'print')) return true;
  if (name === 'parted' || name === 'diskutil')
    return /^(|print|list|info|help|activity|apfs|listFilesystems)$/.test(verb);
  if (name === 'zpool' || name === 'zfs') return /^(|list|status|get|iostat|history|version|diff|holds)$/.test(verb);
  if (name === 'btrfs')
    return !/^(format|delete|set|resize|replace|remove|add|create|restore|rescue|balance|device)$/.test(verb);
  if (name === 'cryptsetup') return /^(status|isLuks|luksDump|luksUUID|benchmark|)$/.test(verb);
  if (name === 'dmsetup') return /^(ls|info|status|table|deps|targets|version|)$/.test(verb);
  if (name === 'nvme') return !/^(format|sanitize|write|delete|attach|detach|reset|fw|set)/.test(verb);
  if (name === 'hdparm')
    return !has('security-erase', 'security-erase-enhanced', 'trim-sector-ranges', 'write-sector', 'make-bad-sector');
  if (/fsck|xfs_repair/.test(name)) return has('n');
  if (name === 'tune2fs' || name === 'mdadm') return has('l') || verb === 'detail';
  if (name === 'fwupdmgr') return !/^(update|install|downgrade|reinstall|activate|unlock)$/.test(verb);
  return false;
}
