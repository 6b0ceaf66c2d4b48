<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Closure;
use Larder\Page\Response;
use SensitiveParameter;
use ValueError;

/**
 * Who may see the dashboard. Where somebody comes from says nothing: behind an address of this machine may be a proxy
 * that passes on whom it likes, and adds no header.
 *
 * A secret and a password file are asked for by HTTP Basic. Browsers send it to this origin alone, so another site's
 * page can neither read nor, without a token, flush.
 *
 * @internal
 */
final readonly class Admission
{
    private const SHORTEST = 16;

    /** Hashes of crypt(3) that are slow enough, as PHP's password_verify() knows them. */
    private const SLOW = '/^\$(?:2[aby]|5|6|argon2id?)\$/';

    /**
     * @param Closure(): bool                       $allows
     * @param (Closure(string, string): bool)|null $knows  a user and a password; null: nobody is asked for one
     */
    private function __construct(private Closure $allows, private ?Closure $knows = null) {}

    /** @param Closure(): bool $allows asked for each request: whether the application lets this visitor in */
    public static function by(Closure $allows): self
    {
        return new self($allows);
    }

    /**
     * Who gives this secret as the password, with any user name.
     *
     * @throws ValueError
     */
    public static function secret(#[SensitiveParameter] string $secret): self
    {
        if (\strlen($secret) < self::SHORTEST) {
            throw new ValueError(\sprintf(
                'The secret of the dashboard has %d bytes, fewer than %d: php -r "echo bin2hex(random_bytes(16));"',
                \strlen($secret),
                self::SHORTEST,
            ));
        }

        return new self(
            static fn(): bool => true,
            static fn(string $user, string $password): bool => hash_equals($secret, $password),
        );
    }

    /** @param string $file lines of `user:hash`, as `htpasswd -B` makes them */
    public static function passwords(string $file): self
    {
        return new self(
            static fn(): bool => is_readable($file),
            static function (string $user, #[SensitiveParameter] string $password) use ($file): bool {
                foreach ((array) @file($file, FILE_IGNORE_NEW_LINES) as $line) {
                    [$name, $hash] = explode(':', (string) $line, 2) + [1 => ''];
                    if ($name === $user && $name !== '' && preg_match(self::SLOW, $hash) === 1) {
                        return password_verify($password, $hash);
                    }
                }

                return false;
            },
        );
    }

    /** @return Response|null what the visitor gets who may not; null: he may */
    public function refusal(Visit $visit): ?Response
    {
        if (!($this->allows)()) {
            return new Response(403, [], $this->knows === null
                ? 'Admission::by() does not let you in.'
                : 'The file of Admission::passwords() cannot be read.');
        }
        [$user, $password] = self::given($visit);

        return $this->knows === null || ($this->knows)($user, $password)
            ? null
            : new Response(
                401,
                ['www-authenticate' => ['Basic realm="Larder", charset="UTF-8"']],
                'It needs the password of Admission::secret() or Admission::passwords().',
            );
    }

    /** @return array{string, string} user and password; empty: none were given */
    private static function given(Visit $visit): array
    {
        $isBasic = preg_match('~^Basic +([A-Za-z0-9+/]+={0,2})$~Di', $visit->header('authorization'), $found) === 1;
        $given = $isBasic ? (string) base64_decode($found[1], true) : '';

        return explode(':', $given, 2) + ['', ''];
    }
}
