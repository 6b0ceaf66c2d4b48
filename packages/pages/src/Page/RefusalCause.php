<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Tracker\RecordedReads;

/** @internal The kinds of reasons why pages are not stored, with what to do about each. */
enum RefusalCause: string
{
    case Controller = 'controller';
    case Deploy = 'deploy';
    case Output = 'output';
    case Status = 'status';
    case Size = 'size';
    case Cookie = 'cookie';
    case Header = 'header';
    case Type = 'type';
    case Undeclared = 'undeclared';
    case Request = 'request';
    case Statement = 'statement';
    case Failed = 'failed';
    case Clock = 'clock';
    case Ended = 'ended';
    case Room = 'room';
    case Store = 'store';
    case Other = 'other';

    /** What a reason of a kind has in it. The first that fits counts. */
    private const WORDS = [
        'controller' => '/ declares no #\[Reads\]$|^no controller is known|is not in the list of controllers/',
        'deploy' => '/larder deploy|^made by another release|^another page directory|differ in ttl|^no release is /',
        'output' => '/^output (?:was|came) /',
        'status' => '/^status \d+ is not |^the body is empty$|\bLocation\b|^a page with parts and /',
        'size' => '/^(?:the body|its key|its head) has \d+ bytes/',
        'cookie' => '/^the answer sets a cookie$|^a session was started$/',
        'header' => '/^nginx cannot repeat the header |^Cache-Control forbids it/',
        'type' => '/^Content-Type is /',
        'undeclared' => '/#\[Reads\] does not declare$|the registry does not declare$/',
        'request' => '/ which the key does not hold$/',
        'failed' => '/^' . RecordedReads::FAILED . '|was not made in time$/',
        'clock' => '/ before the page would$|the clock|the time|random/i',
        'ended' => '/^the script ended inside the render/',
        'room' => '/^page store is full$/',
        'store' => '/^Cannot |^the ledger could not be read|^innodb_flush_log_at_trx_commit|^the page store failed/i',
        'statement' => '/statement|transaction|schema|temporary table|a value that/',
    ];

    public static function of(string $reason): self
    {
        foreach (self::WORDS as $cause => $expression) {
            if (preg_match($expression, $reason) === 1) {
                return self::from($cause);
            }
        }

        return self::Other;
    }

    /** What to do so that such a page is stored. */
    public function remedy(): string
    {
        return match ($this) {
            self::Controller => 'If it may be stored: give it #[Reads(…)], add it to Site::$controllers, and deploy.',
            self::Deploy => 'Run larder deploy, then reload php-fpm. An area and its controllers have the same ttl.',
            self::Output => 'Let the controller give the page whole: no flush(), nothing before it or beside it.',
            self::Status => 'Nothing, if the answer is meant: an error or an empty page is none.',
            self::Size => 'Make the page smaller, or raise Limits::$pageBytes.',
            self::Cookie => 'Set the cookie, or start the session, on requests that are no pages: forms, the login.',
            self::Header => 'Drop the header, or name it with its one value in Serving::$headers.',
            self::Type => 'Give the path an Area of that type in Urls::$areas.',
            self::Undeclared => 'Add the table to the controller\'s #[Reads], or stop reading it; run larder deploy.',
            self::Request => 'Do not read that of the request, or let the path hold it.',
            self::Statement => 'Write the statement so that the tracker can read it, or tell its names by hand.',
            self::Failed => 'Nothing, if it passes: the next request tries again. If it stays, mend the statement.',
            self::Clock => 'Give the route a ttl, or take the time out of what the page shows.',
            self::Ended => 'Return from the controller instead of exit(), and mend the error that the log has.',
            self::Room => 'Raise Limits::$bytes, or Limits::$routeShare for this route.',
            self::Store => 'Run larder doctor: the page store or the ledger fails.',
            self::Other => 'Run larder explain with the address, and read the log.',
        };
    }
}
