<?php

declare(strict_types=1);

namespace Larder\Sql\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/** A file of the page store could not be written, moved or removed. */
final class PageStoreFailed extends RuntimeException implements LarderException
{
    private function __construct(
        string $message,
        /** The system's words, such as "No space left on device", without a path. */
        public readonly string $cause,
    ) {
        parent::__construct($message);
    }

    public static function elsewhere(): self
    {
        return new self(
            'This database has the ledger of a site with pages, and SqlLedger::forValues() does not know where they '
                . 'lie: use Pages::of($site)->versions().',
            'the pages lie elsewhere',
        );
    }

    /** @param string $place as the ledger has it */
    public static function inAnUnknownStore(string $place): self
    {
        return new self(
            "The pages of this ledger lie, or lay, in a store that this site does not open: \"$place\". Let its "
                . 'Storage::$open be the one it was, or one whose at() knows that place. If that is gone '
                . "for good: DELETE FROM larder_place WHERE path = '$place'; and larder deploy.",
            'the pages lie in an unknown store',
        );
    }

    /** @param string $place as the ledger has it */
    public static function onAnotherHost(string $place): self
    {
        return new self(
            "The pages of this ledger are in another directory than the $place that this process sees: on another host "
                . 'or in another container, or it was removed. So nobody here could drop them. A page directory is for '
                . 'one web server: for several, name memcached servers in Storage::$memcached, and run larder deploy '
                . 'where that directory is. If the other directory is gone for good, and no nginx serves it: larder '
                . 'deploy --take',
            'the pages are on another host',
        );
    }

    /**
     * @param string $path of the page directory
     * @param string $kind of its file system
     */
    public static function onASharedFileSystem(string $path, string $kind): self
    {
        return new self(
            "The page directory $path is on a file system that other hosts can have too ($kind): they would see a page "
                . 'for a while after a change has removed it. Let Site::$pages be a local directory, best a tmpfs; for '
                . 'several hosts name memcached servers in Storage::$memcached. Then run larder deploy',
            'the page directory is on a shared file system',
        );
    }

    /**
     * @param int $held bytes of the drafts that are there
     * @param int $most that they may take
     */
    public static function fullOfDrafts(string $directory, int $held, int $most): self
    {
        return new self(
            "The drafts in $directory take $held bytes, and this one would not fit into the $most of Limits::\$bytes: "
                . 'many large pages are being made, or renders were killed, whose drafts go after five minutes',
            'other drafts take all room',
        );
    }

    public static function during(string $step, string $path, string $reason): self
    {
        $found = preg_match('~^(?:.*(?:errno=\d+ |: ))?([^:/]+)$~Ds', $reason, $words) === 1;
        $cause = $found ? $words[1] : 'unknown reason';
        $remedy = match ($cause) {
            'Permission denied', 'Operation not permitted' => self::whose($path),
            'Connection timed out', 'Connection refused' => '. Start this memcached server again, or take one that is '
                . 'gone for good out of Storage::$memcached and run larder deploy',
            'No space left on device' => '. Make its file system larger, or Limits::$bytes smaller',
            default => '',
        };

        return new self(\sprintf('The page store failed to %s %s: %s%s', $step, $path, $reason, $remedy), $cause);
    }

    private static function whose(string $path): string
    {
        $directory = \dirname($path);
        while (!is_dir($directory) && $directory !== \dirname($directory)) {
            $directory = \dirname($directory);
        }
        if (!\function_exists('posix_geteuid')) {
            return '';
        }
        $owner = self::nameOf((int) @fileowner($directory));
        $self = self::nameOf(posix_geteuid());

        return $owner === $self
            ? ''
            : ". $directory belongs to $owner and this process is $self: run it as $owner, or give the directory to "
                . $self;
    }

    private static function nameOf(int $user): string
    {
        $entry = posix_getpwuid($user);

        return $entry === false ? (string) $user : $entry['name'];
    }
}
