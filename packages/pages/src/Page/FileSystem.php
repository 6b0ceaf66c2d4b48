<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal What a kind of file system, as the kernel names it, means for a page directory. */
final readonly class FileSystem
{
    /** Other hosts can have them too, and see a file for a while after it was removed. */
    private const SHARED = [
        'nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'ceph', 'afs', 'lustre', 'gfs2', 'ocfs2',
        'fuse.ceph', 'fuse.glusterfs', 'fuse.s3fs', 'fuse.sshfs',
    ];

    private function __construct() {}

    public static function isInMemory(string $kind): bool
    {
        return \in_array($kind, ['tmpfs', 'ramfs'], true);
    }

    public static function isShared(string $kind): bool
    {
        return \in_array($kind, self::SHARED, true);
    }
}
