<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Page\Release;
use Larder\Sql\Tracker\TrackedConnection;
use PhpToken;

/** @internal Looks in a site's code for functions that pass the methods of its mysqli by. */
final readonly class FunctionCalls
{
    private const NAME = "the site's code calls methods of its mysqli, and not functions";

    private const FUNCTIONS = '/^\\\\?mysqli_(?:autocommit|begin_transaction|change_user|commit|connect|execute'
        . '|execute_query|init|multi_query|prepare|query|real_connect|real_query|release_savepoint|rollback|savepoint'
        . '|select_db|set_charset|stmt_execute|stmt_init|stmt_prepare)$/iD';

    /** So many calls are named. */
    private const MOST = 5;

    /** @return list<Check> none where no function can pass the connection, or the release lists no code */
    public function checks(TrackedConnection $connection, ?Release $release): array
    {
        $files = $connection->own()->mayEndUnseen() && $release !== null ? $release->files() : [];

        return $files === [] ? [] : [$this->ofFiles($files)];
    }

    /** @param list<string> $paths of PHP files; those of libraries are not the site's to change */
    public function ofFiles(array $paths): Check
    {
        $calls = [];
        foreach ($paths as $path) {
            if (!str_contains($path, '/vendor/')) {
                array_push($calls, ...self::of($path));
            }
        }

        return $calls === [] ? Check::ok(self::NAME) : Check::remark(self::NAME, \sprintf(
            'Larder sees nothing of what these read and write: %s%s. Write $db->query() in place of mysqli_query($db), '
                . 'and so on, or let larder follow read the database\'s log',
            implode(', ', \array_slice($calls, 0, self::MOST)),
            \count($calls) > self::MOST ? \sprintf(' and %d more', \count($calls) - self::MOST) : '',
        ));
    }

    /** @return list<string> function, file and line of each call */
    private static function of(string $path): array
    {
        $code = @file_get_contents($path);
        if ($code === false || stripos($code, 'mysqli_') === false) {
            return [];
        }
        $calls = [];
        $before = null;
        $tokens = array_values(array_filter(
            PhpToken::tokenize($code),
            static fn(PhpToken $token): bool => !$token->isIgnorable(),
        ));
        foreach ($tokens as $number => $token) {
            $isCall = $token->is([T_STRING, T_NAME_FULLY_QUALIFIED])
                && preg_match(self::FUNCTIONS, $token->text) === 1
                && ($tokens[$number + 1]->text ?? '') === '('
                && $before?->is([T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON, T_FUNCTION, T_NEW])
                    !== true;
            if ($isCall) {
                $calls[] = \sprintf('%s() in %s:%d', ltrim($token->text, '\\'), $path, $token->line);
            }
            $before = $token;
        }

        return $calls;
    }
}
